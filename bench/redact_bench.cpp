// What redaction costs: the share of the time from an agent's events to their serialized form. The
// journal comes on top, so the share of the whole is smaller.

#include "base/event/event_json.h"
#include "session/agent_redactor.h"
#include "session/session.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

using namespace oriel;
using Clock = std::chrono::steady_clock;

constexpr int kTasks = 300;
constexpr int kDeltasPerMessage = 100;
constexpr int kToolsPerTask = 5;
constexpr std::size_t kToolOutputBytes = 4000;

class Words {
 public:
  std::string text(std::size_t bytes) {
    static constexpr std::array kWords = {"the ",    "session ", "writes ", "files_ ", "as ",
                                          "return ", "gateway ", "or ",     "{ key",   "else ",
                                          "x-y ",    "Amount ",  "sorted ", "(event)", "\n"};
    std::string text;
    while (text.size() < bytes)
      text += kWords[random_() % kWords.size()];
    return text;
  }

 private:
  std::mt19937 random_{7};
};

// One task of an agent, as the steps in which its events arrive.
std::vector<std::vector<AgentEvent>> task_of(int number, Words& words) {
  std::vector<std::vector<AgentEvent>> steps;
  const std::string id = "m" + std::to_string(number);
  std::string whole;
  for (int i = 0; i < kDeltasPerMessage; ++i) {
    const std::string piece = words.text(20);
    whole += piece;
    steps.push_back({TextDelta{.message_id = id, .text = piece}});
  }
  steps.push_back({TextFinished{.message_id = id, .text = whole}});
  for (int i = 0; i < kToolsPerTask; ++i) {
    const std::string tool = id + "-" + std::to_string(i);
    boost::json::object input{{"path", "src/main.cpp"}, {"content", words.text(400)}};
    steps.push_back({ToolCalled{.id = tool, .name = "edit", .input = std::move(input)}});
    steps.push_back(
        {ToolFinished{.id = tool, .is_ok = true, .output = words.text(kToolOutputBytes)}});
  }
  steps.push_back({TaskEnded{}});
  return steps;
}

struct Times {
  Clock::duration redaction{};
  Clock::duration rest{};
  std::size_t events = 0;
  std::size_t bytes = 0;
};

Times run() {
  const std::vector<SecretValue> values = {
      {.name = "ANTHROPIC_API_KEY", .value = "0123456789abcdef"},
      {.name = "GITHUB_TOKEN", .value = "zyxwvutsrqponmlk"}};
  AgentRedactor redactor(std::make_shared<const Redactor>(values));
  SessionState state;
  state.session_id = "ses_1";
  Session session(state, PermissionMode::kAsk, {});
  Moment now{.wall = wall_now(), .steady = Clock::now()};
  session.create(now);
  Words words;
  Times times;
  bool is_ready = false;
  for (int i = 0; i < kTasks; ++i) {
    if (!session.message({.text = "go on"}, now)) std::abort();
    if (!is_ready) session.on_agent({AgentReady{}}, now);
    is_ready = true;
    for (std::vector<AgentEvent>& events : task_of(i, words)) {
      now.steady += std::chrono::milliseconds(20);
      const auto start = Clock::now();
      std::vector<AgentEvent> masked = redactor.mask(std::move(events));
      const auto middle = Clock::now();
      const SessionStep step = session.on_agent(std::move(masked), now);
      for (const SessionEvent& event : step.events)
        times.bytes += serialize_body(event).size();
      times.events += step.events.size();
      times.redaction += middle - start;
      times.rest += Clock::now() - middle;
    }
  }
  return times;
}

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace

int main() {
  run();  // warms up
  const Times times = run();
  const double redaction = microseconds(times.redaction);
  const double rest = microseconds(times.rest);
  const auto events = static_cast<double>(times.events);
  std::printf("%zu events, %.1f MB\n", times.events, static_cast<double>(times.bytes) / 1e6);
  std::printf("redaction      %6.2f us per event, %.0f MB/s\n", redaction / events,
              static_cast<double>(times.bytes) / redaction);
  std::printf("session, JSON  %6.2f us per event\n", rest / events);
  std::printf("share          %6.2f %%\n", 100 * redaction / (redaction + rest));
}
