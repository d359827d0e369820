// Whatever an agent writes, its adapter gives a clean stream of events, and answers in lines of
// JSON.

#include "agent/adapters/adapter.h"
#include "base/text/json_line.h"
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace oriel {
namespace {

// An agent's owner in short: prompts when it may, and answers what it is asked.
class Owner {
 public:
  explicit Owner(AdapterKind kind) : adapter_(make_adapter(kind)) {}

  void start(bool is_resuming) {
    take(adapter_->start({.workspace = "/w",
                          .resume_id = is_resuming ? "s" : "",
                          .model = is_resuming ? "" : "m",
                          .auth_method = ""}));
  }

  void receive(std::string_view line) { take(adapter_->receive(line)); }

  void quiet() { take(adapter_->quiet()); }

  void cancel() { take(adapter_->cancel()); }

  void prompt() {
    if (is_ready_ && !is_running_) take(adapter_->prompt("hello"));
  }

  void answer() {
    if (questions_.empty()) return;
    const PermissionAsked asked = questions_.extract(questions_.begin()).mapped();
    PermissionAnswer answer;
    if (!asked.options.empty()) answer.option_id = asked.options.front().id;
    answer.answers.resize(asked.questions.size(), "yes");
    const AgentStep step = adapter_->answer(asked.id, answer);
    ORIEL_CHECK(step.lines.size() == 1);
    take(step);
  }

 private:
  void take(const AgentStep& step) {
    for (const std::string& line : step.lines) {
      ORIEL_CHECK(line.find('\n') == std::string::npos);
      ORIEL_CHECK(parse_line(line));
    }
    for (const AgentEvent& event : step.events)
      std::visit([this](const auto& each) { see(each); }, event);
  }

  void see(const AgentReady&) { is_ready_ = true; }

  void see(const AgentRefused& refused) { ORIEL_CHECK(!refused.error.message.empty()); }

  void see(const NoticeGiven&) {}

  void see(const ThoughtDelta&) { ORIEL_CHECK(is_running_); }

  void see(const UsageReported&) { ORIEL_CHECK(is_running_); }

  void see(const ErrorReported&) { ORIEL_CHECK(is_running_); }

  void see(const TaskStarted&) {
    ORIEL_CHECK(!is_running_);
    is_running_ = true;
    tools_.clear();
  }

  void see(const TextDelta& delta) {
    ORIEL_CHECK(is_running_);
    texts_[delta.message_id] += delta.text;
  }

  void see(const TextDropped& dropped) {
    if (dropped.message_id.empty())
      texts_.clear();
    else
      texts_.erase(dropped.message_id);
  }

  void see(const TextFinished& finished) {
    ORIEL_CHECK(is_running_);
    texts_.erase(finished.message_id);
  }

  void see(const ToolCalled& called) {
    ORIEL_CHECK(is_running_ && tools_.emplace(called.id, false).second);
  }

  void see(const ToolFinished& finished) {
    ORIEL_CHECK(is_running_ && tools_.contains(finished.id) && !tools_[finished.id]);
    tools_[finished.id] = true;
  }

  void see(const PermissionAsked& asked) {
    ORIEL_CHECK(questions_.emplace(asked.id, asked).second);
  }

  void see(const PermissionWithdrawn& withdrawn) {
    ORIEL_CHECK(questions_.erase(withdrawn.id) == 1);
  }

  void see(const TaskEnded&) {
    ORIEL_CHECK(is_running_ && texts_.empty() && questions_.empty());
    for (const auto& [id, has_result] : tools_)
      ORIEL_CHECK(has_result);
    is_running_ = false;
  }

  std::unique_ptr<Adapter> adapter_;
  bool is_ready_ = false;
  bool is_running_ = false;
  std::map<std::string, std::string> texts_;
  std::map<std::string, bool> tools_;
  std::map<std::string, PermissionAsked> questions_;
};

void run(std::string_view input) {
  const unsigned first = input.empty() ? 0 : static_cast<unsigned char>(input[0]);
  Owner owner(static_cast<AdapterKind>(first % 4));
  owner.start((first & 4) != 0);
  input.remove_prefix(input.empty() ? 0 : 1);
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line == "cancel")
      owner.cancel();
    else if (line == "answer")
      owner.answer();
    else if (line == "quiet")
      owner.quiet();
    else
      owner.receive(line);
    owner.prompt();
  }
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oriel::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
