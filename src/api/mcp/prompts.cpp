#include "api/mcp/prompts.h"

#include "mcp/call.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kInstructions =
    "Oriel runs coding agents and shows what they do. session_message gives an agent work (without "
    "session_id: in a new session) and returns at once; session_events with since_index and "
    "wait_ms "
    "follows it, or session_message with wait: true returns the final text. A task is over with "
    "its "
    "completion event. A permission event with status pending means that the agent waits: answer "
    "it "
    "with permission_answer. session_cancel ends a task, session_end a session. To have events "
    "pushed, set a level with logging/setLevel: debug for everything, info for all but pieces of "
    "text.";

constexpr std::string_view kSupervise =
    "Have this done by a coding agent that Oriel runs{}:\n\n{}\n\n"
    "1. Call session_message with a complete description of the task: the agent knows nothing of "
    "this conversation. Keep the session_id.\n"
    "2. Follow it with session_events (since_index = the last_index before, wait_ms = 30000) until "
    "the task's completion event.\n"
    "3. When a permission event with status pending comes, tell me what the agent wants to do, and "
    "answer with permission_answer as I decide.\n"
    "4. Check the result yourself. If something is missing, send the next message to the same "
    "session.\n"
    "5. Tell me what was done, and end the session with session_end when nothing is left to do.";

constexpr std::string_view kCatchUp =
    "Tell me what has happened in the agent session {}. Read session_get and session_events (types "
    "message, tool_call, tool_result, permission, error, completion). Say in a few lines what was "
    "asked, what the agent did and changed, how it ended, and whether it waits for an answer.";

std::string argument(const mcp::Call& call, std::string_view name) {
  const json::value* const value = call.arguments().if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

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
  const std::string task = argument(call, "task");
  const std::string agent = argument(call, "agent");
  if (task.empty()) co_return missing("task");
  const std::string by = agent.empty() ? "" : fmt::format(" (agent: {})", agent);
  co_return one_message("Run a coding agent", fmt::format(kSupervise, by, task));
}

asio::awaitable<mcp::RpcResult> catch_up(mcp::Call& call) {
  const std::string session_id = argument(call, "session_id");
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
       .description = "Have a task done by a coding agent, watched and checked.",
       .arguments = {argument_json("task", "What is to be done.", true),
                     argument_json("agent", "Which agent; else the default.", false)},
       .handler = supervise});
  catalog.prompts.push_back({.name = "catch_up",
                             .title = "Catch up on a session",
                             .description = "What has happened in an agent session so far.",
                             .arguments = {argument_json("session_id", "Which session.", true)},
                             .handler = catch_up});
}

}  // namespace oriel
