#include "api/mcp/tool.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

// Hints for models, where the error's own hint is about REST or cannot be followed by a tool call.
std::string hint_for(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUnknownSession:
      return "Call session_list to find a session, or session_message without session_id to start "
             "one.";
    case ErrorKind::kSessionEnded:
      return "Call session_message without session_id to start a new session.";
    case ErrorKind::kNoTask:
      return "No task is running; send the next message with session_message.";
    case ErrorKind::kUnknownPermission:
      return "Call session_get: \"permissions\" lists the pending ones.";
    case ErrorKind::kAlreadyResolved:
      return "The first answer counts; continue with session_events.";
    case ErrorKind::kTooManySessions:
      return "End a session that is no longer needed (session_list, session_end), and try again.";
    case ErrorKind::kTooManyMessages:
      return "Wait for the task to end (session_events with wait_ms), or call session_cancel.";
    case ErrorKind::kUnknownAgent:
      return "Call agent_list for the known agents.";
    default:
      return error.hint;
  }
}

}  // namespace

json::object annotations(std::string_view title, Effect effect, bool is_repeatable) {
  return {{"title", title},
          {"readOnlyHint", effect == Effect::kReads},
          {"destructiveHint", effect == Effect::kDestroys},
          {"idempotentHint", is_repeatable},
          {"openWorldHint", effect == Effect::kDestroys}};
}

ObjectReader read_arguments(const mcp::Call& call, std::initializer_list<std::string_view> known) {
  json::object arguments;
  for (const auto& [key, value] : call.arguments()) {
    if (!value.is_null()) arguments[key] = value;
  }
  return {std::move(arguments), known};
}

json::object error_result(const Error& error, const json::object& data) {
  const std::string hint = hint_for(error);
  json::object result =
      mcp::tool_error(hint.empty() ? error.message : fmt::format("{}. {}", error.message, hint));
  json::object details{{"code", code_of(error.kind)}, {"message", error.message}, {"hint", hint}};
  if (!data.empty()) details["data"] = data;
  result["_meta"] = json::object{{"oriel/error", std::move(details)}};
  return result;
}

Result<void> check_may_write(const mcp::Call& call) {
  if (call.principal().may_write) return {};
  return Error{.kind = ErrorKind::kReadOnly,
               .message = "the token " + call.principal().name + " may only read",
               .hint =
                   "Ask the operator of Oriel for a token that may write; session_list, "
                   "session_get, session_events and session_watch work with this one."};
}

}  // namespace oriel
