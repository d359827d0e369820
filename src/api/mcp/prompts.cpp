#include "api/mcp/prompts.h"

#include "base/text/json_access.h"
#include "mcp/call.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kInstructions =
    "Oriel runs coding agents. session_message sends a message to an agent (without session_id: in "
    "a new session), which starts a task, and returns at once; follow the task with session_events "
    "(since_index, wait_ms), or call session_message with wait: true for the final text. A task "
    "ends with its completion event. A permission event with status pending means that the agent "
    "waits: answer it with permission_answer. session_cancel cancels a task, session_end ends a "
    "session.";

constexpr std::string_view kSupervise =
    "Delegate this task to a coding agent that Oriel runs{}:\n\n"
    "{}\n\n"
    "1. Call session_message with a complete description of the task: the agent knows nothing of "
    "this conversation. Keep the session_id.\n"
    "2. Follow it with session_events (since_index = the previous last_index, wait_ms = 30000) "
    "until the task's completion event.\n"
    "3. When a permission event with status pending arrives, tell me what the agent wants to do, "
    "and answer with permission_answer as I decide.\n"
    "4. Check the result yourself. If something is missing, send another message to the same "
    "session.\n"
    "5. Report what was done, and end the session with session_end when nothing is left to do.";

constexpr std::string_view kCatchUp =
    "Summarize the agent session {}. Read session_get and session_events (types message, "
    "tool_call, tool_result, permission, error, completion). Say in a few lines what was "
    "requested, what the agent did and changed, how it ended, and whether it waits for an answer.";

mcp::RpcError missing(std::string_view name) {
  return {.code = mcp::kInvalidParams,
          .message = fmt::format("the argument {} is missing", name),
          .data = {}};
}

json::object one_message(std::string_view description, std::string text) {
  json::object content{{"type", "text"}, {"text", std::move(text)}};
  json::object message{{"role", "user"}, {"content", std::move(content)}};
  return {{"description", description}, {"messages", json::array{std::move(message)}}};
}

json::object argument_json(std::string_view name, std::string_view description, bool is_required) {
  return {{"name", name}, {"description", description}, {"required", is_required}};
}

asio::awaitable<mcp::RpcResult> supervise(mcp::Call& call) {
  const std::string task = text_at(call.arguments(), "task");
  const std::string agent = text_at(call.arguments(), "agent");
  if (task.empty()) co_return missing("task");
  const std::string by = agent.empty() ? "" : fmt::format(" (agent: {})", agent);
  co_return one_message("Run a coding agent", fmt::format(kSupervise, by, task));
}

asio::awaitable<mcp::RpcResult> catch_up(mcp::Call& call) {
  const std::string session_id = text_at(call.arguments(), "session_id");
  if (session_id.empty()) co_return missing("session_id");
  co_return one_message("Catch up on a session", fmt::format(kCatchUp, session_id));
}

}  // namespace

std::string_view mcp_instructions() {
  return kInstructions;
}

void add_prompts(mcp::Catalog& catalog) {
  catalog.prompts.push_back(
      {.name = "supervise",
       .title = "Run a coding agent",
       .description = "Delegate a task to a coding agent, follow it and check the result.",
       .arguments = {argument_json("task", "The task to do.", true),
                     argument_json("agent", "The agent. Default: the default agent.", false)},
       .handler = supervise});
  catalog.prompts.push_back({.name = "catch_up",
                             .title = "Catch up on a session",
                             .description = "Summarize what happened in an agent session.",
                             .arguments = {argument_json("session_id", "The session.", true)},
                             .handler = catch_up});
}

}  // namespace oriel
