#include "api/mcp/tool.h"

namespace oriel {
namespace {

namespace json = boost::json;

// Hints for models, where the error's own hint is about REST or cannot be followed by a tool call.
std::string hint_for(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUnknownSession:
      return "call session_list to find a session, or session_message without session_id to start "
             "one";
    case ErrorKind::kSessionEnded:
      return "call session_message without session_id to start a new session";
    case ErrorKind::kNoTask:
      return "send the next message with session_message";
    case ErrorKind::kUnknownPermission:
      return "call session_get: \"permissions\" lists pending permissions";
    case ErrorKind::kTooManySessions:
      return "end a session that is no longer needed (session_list, session_end), then retry";
    case ErrorKind::kTooManyMessages:
      return "wait for the task to end (session_events with wait_ms), or call session_cancel";
    case ErrorKind::kUnknownAgent:
      return "call agent_list for the known agents";
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
      mcp::tool_error(describe({.kind = error.kind, .message = error.message, .hint = hint}));
  json::object details{{"code", code_of(error.kind)}, {"message", error.message}, {"hint", hint}};
  if (!data.empty()) details["data"] = data;
  result["_meta"] = json::object{{"oriel/error", std::move(details)}};
  return result;
}

}  // namespace oriel
