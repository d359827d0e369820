#include "observed/tool_calls.h"

#include "base/text/json_text.h"
#include "base/text/text_hash.h"
#include "transcript/question_tool.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// A late hook arrives within this time after its tool has ended.
constexpr std::chrono::seconds kLateToolHook{10};

std::uint64_t fingerprint_of(std::string_view name, const boost::json::value& input) {
  return text_hash(json_text(input), text_hash(name));
}

}  // namespace

ToolCall tool_call_of(const HookEvent& hook) {
  return {.id = hook.tool_call_id,
          .name = hook.tool_name,
          .input = hook.tool_input,
          .fingerprint = fingerprint_of(hook.tool_name, hook.tool_input)};
}

ToolCall tool_call_of(const TranscriptEntry& entry) {
  return {.id = entry.tool_call_id,
          .name = entry.tool_name,
          .input = entry.input,
          .fingerprint = fingerprint_of(entry.tool_name, entry.input)};
}

ToolCalls::ToolCalls(std::vector<ObservedTool> running, std::vector<EndedTool> ended)
    : running_(std::move(running)), ended_(std::move(ended)) {}

const ObservedTool* ToolCalls::find(std::string_view tool_call_id) const {
  const auto found = std::find_if(running_.begin(), running_.end(), [&](const ObservedTool& tool) {
    return tool.tool_call_id == tool_call_id;
  });
  return found == running_.end() ? nullptr : &*found;
}

const ObservedTool* ToolCalls::find_same(std::uint64_t fingerprint) const {
  const auto found = std::find_if(running_.begin(), running_.end(), [&](const ObservedTool& tool) {
    return tool.fingerprint == fingerprint;
  });
  return found == running_.end() ? nullptr : &*found;
}

bool ToolCalls::knows(std::string_view tool_call_id) const {
  return find(tool_call_id) ||
         std::any_of(ended_.begin(), ended_.end(),
                     [&](const EndedTool& tool) { return tool.tool_call_id == tool_call_id; });
}

bool ToolCalls::is_question(std::string_view tool_call_id) const {
  const auto asks = [&](const ObservedTool& tool) {
    return tool.tool_call_id == tool_call_id && is_question_tool(tool.tool_name);
  };
  const auto asked = [&](const EndedTool& tool) {
    return tool.tool_call_id == tool_call_id && tool.is_question;
  };
  return std::any_of(running_.begin(), running_.end(), asks) ||
         std::any_of(ended_.begin(), ended_.end(), asked);
}

bool ToolCalls::has_ended_recently(const ToolCall& call, WallTime now) const {
  return std::any_of(ended_.begin(), ended_.end(), [&](const EndedTool& ended) {
    const auto is_newer = [&](const ObservedTool& tool) {
      return tool.fingerprint == call.fingerprint && tool.since > ended.at;
    };
    return ended.fingerprint == call.fingerprint && now - ended.at < kLateToolHook &&
           std::none_of(running_.begin(), running_.end(), is_newer);
  });
}

bool ToolCalls::has_running(std::string_view task_id) const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](const ObservedTool& tool) { return tool.task_id == task_id; });
}

std::vector<std::string> ToolCalls::running_ids(std::string_view task_id) const {
  std::vector<std::string> ids;
  for (const ObservedTool& tool : running_) {
    if (tool.task_id == task_id) ids.push_back(tool.tool_call_id);
  }
  return ids;
}

void ToolCalls::start(const ToolCall& call, const std::string& task_id, WallTime at) {
  running_.push_back({.tool_call_id = call.id,
                      .tool_name = call.name,
                      .fingerprint = call.fingerprint,
                      .task_id = task_id,
                      .since = at});
}

std::optional<ObservedTool> ToolCalls::end(std::string_view tool_call_id, WallTime now) {
  const ObservedTool* const found = find(tool_call_id);
  if (!found) return std::nullopt;
  ObservedTool tool = *found;
  running_.erase(running_.begin() + (found - running_.data()));
  add_ended({.tool_call_id = tool.tool_call_id,
             .fingerprint = tool.fingerprint,
             .is_question = is_question_tool(tool.tool_name),
             .at = now});
  return tool;
}

void ToolCalls::note_ended(std::uint64_t fingerprint, WallTime now) {
  add_ended({.tool_call_id = {}, .fingerprint = fingerprint, .is_question = false, .at = now});
}

void ToolCalls::add_ended(EndedTool tool) {
  ended_.push_back(std::move(tool));
  if (ended_.size() > kMaxEnded) ended_.erase(ended_.begin());
}

std::string ToolCalls::move(std::string_view tool_call_id, const std::string& task_id) {
  for (ObservedTool& tool : running_) {
    if (tool.tool_call_id == tool_call_id) return std::exchange(tool.task_id, task_id);
  }
  return {};
}

void ToolCalls::move_all(std::string_view from_task, const std::string& to_task) {
  for (ObservedTool& tool : running_) {
    if (tool.task_id == from_task) tool.task_id = to_task;
  }
}

}  // namespace oriel
