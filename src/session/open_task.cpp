#include "session/open_task.h"

#include "base/text/json_text.h"
#include "base/text/utf8.h"

#include <algorithm>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxLastText = 500;
constexpr std::string_view kNoResult = "no result: the task ended before the tool did";

milliseconds elapsed(const Moment& then, const Moment& now) {
  return std::chrono::duration_cast<milliseconds>(now.steady - then.steady);
}

}  // namespace

OpenTask::OpenTask(std::string id, const std::vector<ToolAtWork>& tools, Moment now)
    : OpenTask(std::move(id), now) {
  for (const ToolAtWork& tool : tools) {
    const auto elapsed = std::max(now.wall - tool.since, WallTime::duration::zero());
    const Moment began{.wall = tool.since, .steady = now.steady - elapsed};
    calls_.push_back({.id = tool.tool_call_id, .name = tool.tool_name, .began = began});
  }
}

void OpenTask::emit(EventPayload payload, StepBuilder& step) {
  show(text_.flush(step.now().steady), step);
  step.emit(id_, std::move(payload));
}

void OpenTask::on(TextDelta delta, StepBuilder& step) {
  const unsigned number = text_.add(delta.message_id, delta.text, step.now().steady);
  step.emit(id_, event::AssistantDelta{.number = number, .text = std::move(delta.text)});
}

void OpenTask::on(ThoughtDelta delta, StepBuilder& step) {
  step.emit(id_, event::ThoughtDelta{.text = std::move(delta.text)});
}

void OpenTask::drop(const TextDropped& dropped, StepBuilder& step) {
  show(text_.drop(dropped.message_id, step.now().steady), step);
}

void OpenTask::on(TextFinished finished, StepBuilder& step) {
  auto message = text_.finish(finished.message_id, std::move(finished.text), step.now().steady);
  if (message) show(*std::move(message), step);
}

bool OpenTask::accepts(const ToolFinished& result) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [&](const RunningCall& call) { return call.id == result.id; });
}

void OpenTask::on(const ToolCalled& call, StepBuilder& step) {
  known_calls_.insert(call.id);
  calls_.push_back({.id = call.id, .name = call.name, .began = step.now()});
  emit(event::ToolCall{.id = call.id, .name = call.name, .input = json_text(call.input)}, step);
}

void OpenTask::on(const ToolFinished& result, StepBuilder& step) {
  const auto call = std::find_if(calls_.begin(), calls_.end(), [&](const RunningCall& running) {
    return running.id == result.id;
  });
  close(*call, result.is_ok, result.output, step);
  calls_.erase(call);
}

void OpenTask::close(const RunningCall& call, bool is_ok, std::string output, StepBuilder& step) {
  emit(event::ToolResult{.id = call.id,
                         .name = call.name,
                         .is_ok = is_ok,
                         .output = std::move(output),
                         .duration = elapsed(call.began, step.now())},
       step);
}

void OpenTask::show_due(StepBuilder& step) {
  if (auto message = text_.due(step.now().steady)) show(*std::move(message), step);
}

void OpenTask::show(std::vector<ShownMessage> messages, StepBuilder& step) {
  for (ShownMessage& message : messages)
    show(std::move(message), step);
}

void OpenTask::show(ShownMessage message, StepBuilder& step) {
  step.state().last_text = last_bytes(message.text, kMaxLastText);
  step.emit(id_,
            event::AssistantMessage{.number = message.number, .text = std::move(message.text)});
}

void OpenTask::complete(TaskEnd outcome, const std::string& detail, StepBuilder& step) {
  show(text_.finish_all(step.now().steady), step);
  for (const RunningCall& call : calls_)
    close(call, false, std::string(kNoResult), step);
  calls_.clear();
  emit(event::Completion{.outcome = outcome,
                         .text = text_.last_text(),
                         .detail = detail,
                         .usage = usage_,
                         .duration = elapsed(began_, step.now()),
                         .by = cancelled_by_},
       step);
}

void OpenTask::cancel(std::string by, SteadyTime deadline, bool has_failed) {
  cancelled_by_ = std::move(by);
  give_up_at_ = deadline;
  has_failed_ = has_failed;
}

std::vector<ToolAtWork> OpenTask::tools() const {
  std::vector<ToolAtWork> tools;
  for (const RunningCall& call : calls_)
    tools.push_back({.tool_call_id = call.id, .tool_name = call.name, .since = call.began.wall});
  return tools;
}

}  // namespace oriel
