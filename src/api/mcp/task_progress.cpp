#include "api/mcp/task_progress.h"

#include "base/text/json_access.h"
#include "base/text/tool_arguments.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <type_traits>

namespace oriel {
namespace {

constexpr std::size_t kMaxPhrase = 80;  // bytes of an agent's text

// The first line of an agent's text, short, without invisible characters.
std::string phrase(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const std::string shown = visible(line.substr(0, 4 * kMaxPhrase));
  if (shown.size() <= kMaxPhrase && line.size() == text.size()) return shown;
  return std::string(first_bytes(shown, kMaxPhrase)) + "…";
}

// A command says more than the name of the tool that runs it.
std::string what_runs(const event::ToolCall& call) {
  const std::string arguments = phrase(short_arguments(call.input));
  if (arguments.empty()) return phrase(call.name);
  const boost::json::object input = parse_object(call.input);
  if (input.contains("command") || input.contains("cmd")) return arguments;
  return phrase(call.name) + " " + arguments;
}

std::string since_in_words(std::string_view what, WallTime since, WallTime now) {
  return fmt::format("{}, {}", what, duration_in_words(now - since));
}

// Text and tools are work of the task that they belong to; a message only waits for it.
template <class Payload>
constexpr bool kIsWork =
    std::is_same_v<Payload, event::StatusChanged> || std::is_same_v<Payload, event::ToolCall> ||
    std::is_same_v<Payload, event::ToolResult> ||
    std::is_same_v<Payload, event::AssistantMessage> ||
    std::is_same_v<Payload, event::StateTransition> ||
    std::is_same_v<Payload, event::PermissionRequested>;

bool is_work(const SessionEvent& event) {
  const auto is_its = [](const auto& payload) { return kIsWork<std::decay_t<decltype(payload)>>; };
  return std::visit(is_its, event.payload);
}

}  // namespace

std::string duration_in_words(std::chrono::milliseconds duration) {
  const std::int64_t seconds = std::max<std::int64_t>(duration.count(), 0) / 1000;
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

void TaskProgress::begin_with(const SessionState& session) {
  if (session.is_in_task && session.task_id == task_id_)
    works_since_ =
        std::min(works_since_.value_or(WallTime::max()), session.state_since.value_or(begin_));
  else if (session.is_in_task)
    other_task_ = session.task_id;
  for (const ToolAtWork& tool : session.tools)
    tools_.push_back(
        {.id = tool.tool_call_id, .what = phrase(tool.tool_name), .since = tool.since});
  for (const PendingPermission& permission : session.pending)
    add_request(permission);
}

std::string TaskProgress::take(const SessionEvent& event) {
  note_task(event);
  std::string said =
      std::visit([&](const auto& payload) { return this->say(payload, event); }, event.payload);
  return said.empty() ? at(event.timestamp) : said;
}

std::string TaskProgress::at(WallTime time) {
  const WallTime now = latest_ = std::max(latest_, time);
  if (!works_since_ && !other_task_.empty())
    return since_in_words("queued behind another task", begin_, now);
  if (!requests_.empty()) {
    const OpenRequest& oldest = requests_.front();
    return since_in_words("waiting for an answer: " + oldest.title, oldest.since, now);
  }
  if (!works_since_) return since_in_words("waiting for the agent", begin_, now);
  if (!tools_.empty())
    return since_in_words("running " + tools_.back().what, tools_.back().since, now);
  return since_in_words("the agent is working", *works_since_, now);
}

double TaskProgress::next_value(WallTime now) {
  value_ = std::max(value_ + std::chrono::milliseconds(1), now - begin_);
  return static_cast<double>(value_.count()) / 1000;
}

void TaskProgress::note_task(const SessionEvent& event) {
  if (event.task_id == task_id_) begin_ = std::min(begin_, event.timestamp);
  if (event.task_id.empty() || !is_work(event)) return;
  if (event.task_id == task_id_)
    works_since_ = std::min(works_since_.value_or(event.timestamp), event.timestamp);
  else
    other_task_ = event.task_id;
}

void TaskProgress::add_request(const PendingPermission& permission) {
  const auto is_same = [&](const OpenRequest& known) {
    return known.permission_id == permission.permission_id;
  };
  if (std::any_of(requests_.begin(), requests_.end(), is_same)) return;
  requests_.push_back({.permission_id = permission.permission_id,
                       .title = phrase(permission.asked.title),
                       .since = permission.asked_at});
}

std::string TaskProgress::say(const event::StatusChanged& changed, const SessionEvent&) {
  if (changed.status == SessionStatus::kFailed)
    return "the session has failed: " + phrase(changed.reason);
  return {};
}

std::string TaskProgress::say(const event::UserMessage&, const SessionEvent& event) const {
  return event.task_id == task_id_ ? "message accepted" : "another message was accepted";
}

std::string TaskProgress::say(const event::AssistantMessage&, const SessionEvent&) {
  return "the agent is writing";
}

std::string TaskProgress::say(const event::ToolCall& call, const SessionEvent& event) {
  std::erase_if(tools_, [&](const RunningTool& tool) { return tool.id == call.id; });
  tools_.push_back({.id = call.id, .what = what_runs(call), .since = event.timestamp});
  return "running " + tools_.back().what;
}

std::string TaskProgress::say(const event::ToolResult& result, const SessionEvent&) {
  std::string what = phrase(result.name);
  for (const RunningTool& tool : tools_) {
    if (tool.id == result.id) what = tool.what;
  }
  std::erase_if(tools_, [&](const RunningTool& tool) { return tool.id == result.id; });
  return since_in_words((result.is_ok ? "done: " : "failed: ") + what, WallTime(),
                        WallTime(result.duration));
}

std::string TaskProgress::say(const event::PermissionRequested& requested, const SessionEvent&) {
  add_request(requested.permission);
  return "waiting for an answer: " + phrase(requested.permission.asked.title);
}

std::string TaskProgress::say(const event::PermissionResolved& resolved, const SessionEvent&) {
  const PendingPermission& permission = resolved.permission;
  std::erase_if(requests_, [&](const OpenRequest& request) {
    return request.permission_id == permission.permission_id;
  });
  return fmt::format("{}: {}", name_of(resolved.status), phrase(permission.asked.title));
}

std::string TaskProgress::say(const event::Completion& completion, const SessionEvent& event) {
  tools_.clear();
  if (event.task_id != task_id_) {
    if (event.task_id == other_task_) other_task_.clear();
    return "another task has ended";
  }
  if (completion.outcome == TaskEnd::kError)
    return "the task has failed: " + phrase(completion.detail);
  return fmt::format("the task is {}", name_of(completion.outcome));
}

std::string TaskProgress::say(const event::TaskError& error, const SessionEvent&) {
  return "error: " + phrase(error.message);
}

std::string TaskProgress::say(const event::Notice& notice, const SessionEvent&) {
  return phrase(notice.text);
}

std::string TaskProgress::say(const event::AgentReady&, const SessionEvent&) {
  return "the agent is ready";
}

std::string TaskProgress::say(const event::SessionCreated& created, const SessionEvent&) {
  return "session created with " + phrase(created.agent);
}

std::string TaskProgress::say(const event::SessionEnded&, const SessionEvent&) {
  return "the session has ended";
}

}  // namespace oriel
