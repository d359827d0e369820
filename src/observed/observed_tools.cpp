// The tools an observed agent uses, and what it asks of the person before it.

#include "base/json_text.h"
#include "base/text_hash.h"
#include "observed/observed_agent.h"
#include "transcript/question_tool.h"

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kNoResult = "no result: the turn ended before the tool did";

// A hook of a tool's call comes less than this after the tool has ended.
constexpr auto kLateTool = seconds(10);

std::uint64_t print_of(std::string_view name, const json::value& input) {
  return text_hash(json_text(input), text_hash(name));
}

}  // namespace

ObservedAgent::ToolCall ObservedAgent::call_of(const HookEvent& hook) {
  return {.id = hook.tool_call_id,
          .name = hook.tool_name,
          .input = hook.tool_input,
          .print = print_of(hook.tool_name, hook.tool_input)};
}

ObservedAgent::ToolCall ObservedAgent::call_of(const TranscriptEntry& entry) {
  return {.id = entry.tool_call_id,
          .name = entry.tool_name,
          .input = entry.input,
          .print = print_of(entry.tool_name, entry.input)};
}

bool ObservedAgent::knows_tool(const std::string& tool_call_id) const {
  const auto is_it = [&](const auto& tool) { return tool.tool_call_id == tool_call_id; };
  return std::any_of(state_.tools.begin(), state_.tools.end(), is_it) ||
         std::any_of(state_.ended_tools.begin(), state_.ended_tools.end(), is_it);
}

bool ObservedAgent::is_question_call(const std::string& tool_call_id) const {
  const auto asks = [&](const ObservedTool& tool) {
    return tool.tool_call_id == tool_call_id && is_question_tool(tool.tool_name);
  };
  const auto asked = [&](const EndedTool& tool) {
    return tool.tool_call_id == tool_call_id && tool.is_question;
  };
  return std::any_of(state_.tools.begin(), state_.tools.end(), asks) ||
         std::any_of(state_.ended_tools.begin(), state_.ended_tools.end(), asked);
}

// So that a hook of it, without its id, that comes now is late: no other such tool has begun since.
bool ObservedAgent::has_ended_lately(const ToolCall& call, WallTime now) const {
  return std::any_of(state_.ended_tools.begin(), state_.ended_tools.end(),
                     [&](const EndedTool& ended) {
                       const auto is_newer = [&](const ObservedTool& tool) {
                         return tool.print == call.print && tool.since > ended.at;
                       };
                       return ended.print == call.print && now - ended.at < kLateTool &&
                              std::none_of(state_.tools.begin(), state_.tools.end(), is_newer);
                     });
}

void ObservedAgent::open_tool(const ToolCall& call, const ObservedTask& task, Work& work) {
  state_.tools.push_back({.tool_call_id = call.id,
                          .tool_name = call.name,
                          .print = call.print,
                          .task_id = task.task_id,
                          .since = work.at});
  if (work.is_import) return;
  SessionEvent& event = emit("tool_call", "session_event", work);
  event.task_id = task.task_id;
  event.tool_name = call.name;
  event.tool_call_id = call.id;
  event.status = "running";
  event.text = json_text(call.input);
}

void ObservedAgent::close_tool(const std::string& tool_call_id, bool is_ok,
                               const std::string& output, Work& work) {
  const auto found =
      std::find_if(state_.tools.begin(), state_.tools.end(),
                   [&](const ObservedTool& tool) { return tool.tool_call_id == tool_call_id; });
  if (found == state_.tools.end()) return;
  const ObservedTool tool = std::move(*found);
  state_.tools.erase(found);
  note_ended({.tool_call_id = tool.tool_call_id,
              .print = tool.print,
              .is_question = is_question_tool(tool.tool_name),
              .at = work.now.wall});
  if (work.is_import) return;
  SessionEvent& event = emit("tool_result", "session_event", work);
  event.task_id = tool.task_id;
  event.tool_name = tool.tool_name;
  event.tool_call_id = tool.tool_call_id;
  event.status = is_ok ? "ok" : "error";
  event.text = output;
  const auto took = std::max(work.at - tool.since, milliseconds(0));
  event.data = json::object{{"duration_ms", took.count()}};
}

void ObservedAgent::note_ended(EndedTool tool) {
  state_.ended_tools.push_back(std::move(tool));
  if (state_.ended_tools.size() > ObservedState::kMaxEndedTools)
    state_.ended_tools.erase(state_.ended_tools.begin());
}

void ObservedAgent::close_tools(std::string_view task_id, Work& work) {
  std::vector<std::string> ids;
  for (const ObservedTool& tool : state_.tools) {
    if (tool.task_id == task_id) ids.push_back(tool.tool_call_id);
  }
  for (const std::string& id : ids)
    close_tool(id, false, std::string(kNoResult), work);
}

OpenQuestion* ObservedAgent::find_question(const ToolCall& call) {
  const auto find = [&](auto fits) {
    const auto found = std::find_if(state_.questions.begin(), state_.questions.end(), fits);
    return found == state_.questions.end() ? nullptr : &*found;
  };
  OpenQuestion* own = find([&](const OpenQuestion& question) {
    return !call.id.empty() && question.tool_call_id == call.id;
  });
  if (own) return own;
  return find([&](const OpenQuestion& question) {
    return question.print == call.print && (call.id.empty() || question.tool_call_id.empty());
  });
}

void ObservedAgent::add_question(const Turn& turn, const ToolCall& call, bool is_permission) {
  state_.questions.push_back({.turn_id = turn.turn_id,
                              .task_id = turn.task_id,
                              .tool_call_id = call.id,
                              .print = call.print,
                              .is_permission = is_permission});
}

bool ObservedAgent::is_question_open(std::string_view task_id) const {
  return std::any_of(state_.questions.begin(), state_.questions.end(),
                     [&](const OpenQuestion& question) { return question.task_id == task_id; });
}

void ObservedAgent::resolve(const OpenQuestion& question, std::string_view status, Work& work) {
  // Its hook may come again.
  if (question.is_permission)
    note_ended(
        {.tool_call_id = {}, .print = question.print, .is_question = false, .at = work.now.wall});
  const auto turn = turns_.find(question.turn_id);
  if (turn == turns_.end()) return;
  turn->second.data["status"] = status;
  update(turn->second, {.update_type = "answered", .old_timestamp = {}}, work);
}

// The tool has been used, or refused: whatever was asked of it is answered.
void ObservedAgent::resolve_questions(const ToolCall& call, std::string_view status, Work& work) {
  while (const OpenQuestion* found = find_question(call)) {
    const OpenQuestion question = *found;
    std::erase(state_.questions, question);
    resolve(question, status, work);
  }
}

void ObservedAgent::dismiss_questions(std::string_view task_id, Work& work) {
  std::vector<OpenQuestion> dismissed;
  std::erase_if(state_.questions, [&](const OpenQuestion& question) {
    if (question.task_id != task_id) return false;
    dismissed.push_back(question);
    return true;
  });
  for (const OpenQuestion& question : dismissed)
    resolve(question, "dismissed", work);
}

}  // namespace oriel
