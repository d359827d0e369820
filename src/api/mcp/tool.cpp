#include "api/mcp/tool.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// Hints for models, where the error's own hint is about REST or cannot be followed by a tool call.
std::string hint_for(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUnknownSession:
      return "Call session_list for the sessions that are known, or session_message without "
             "session_id to start one.";
    case ErrorKind::kSessionEnded:
      return "Call session_message without session_id to start a new session.";
    case ErrorKind::kNoTask:
      return "Nothing is to be cancelled; send the next message with session_message.";
    case ErrorKind::kUnknownPermission:
      return "Call session_get: the permissions that wait are in its \"permissions\".";
    case ErrorKind::kAlreadyResolved:
      return "The first answer counts; go on with session_events.";
    case ErrorKind::kTooManySessions:
      return "Call session_list, end a session that is no longer needed with session_end, and try "
             "again.";
    case ErrorKind::kTooManyMessages:
      return "Wait for the task to end (session_events with wait_ms), or end it with "
             "session_cancel.";
    case ErrorKind::kUnknownAgent:
      return "Call agent_list for the agents that there are.";
    default:
      return error.hint;
  }
}

Schema typed(std::string_view type, std::string_view description) {
  Schema schema{{"type", type}};
  if (!description.empty()) schema["description"] = description;
  return schema;
}

json::array names(std::initializer_list<std::string_view> list) {
  json::array array;
  for (const std::string_view name : list)
    array.emplace_back(name);
  return array;
}

}  // namespace

Schema text_schema(std::string_view description) {
  return typed("string", description);
}

Schema flag_schema(std::string_view description) {
  return typed("boolean", description);
}

Schema number_schema(std::string_view description) {
  return typed("integer", description);
}

Schema number_schema(std::string_view description, std::int64_t min, std::int64_t max,
                     std::int64_t otherwise) {
  Schema schema = number_schema(description);
  schema["minimum"] = min;
  schema["maximum"] = max;
  schema["default"] = otherwise;
  return schema;
}

Schema choice_schema(std::string_view description,
                     std::initializer_list<std::string_view> choices) {
  Schema schema = text_schema(description);
  schema["enum"] = names(choices);
  return schema;
}

Schema list_schema(std::string_view description, Schema items) {
  Schema schema = typed("array", description);
  schema["items"] = std::move(items);
  return schema;
}

Schema any_schema(std::string_view description) {
  return {{"description", description}};
}

Schema or_null(Schema schema) {
  schema["type"] = json::array{schema.at("type"), "null"};
  return schema;
}

Schema object_schema(std::initializer_list<Property> properties,
                     std::initializer_list<std::string_view> required) {
  Schema members;
  for (const Property& property : properties)
    members[property.name] = property.schema;
  Schema schema{{"type", "object"}, {"properties", std::move(members)}};
  if (required.size() > 0) schema["required"] = names(required);
  return schema;
}

Schema input_schema(std::initializer_list<Property> properties,
                    std::initializer_list<std::string_view> required) {
  Schema schema = output_schema(object_schema(properties, required));
  schema["additionalProperties"] = false;
  return schema;
}

Schema output_schema(Schema object) {
  Schema schema{{"$schema", kDialect}};
  for (auto& [key, value] : object)
    schema[key] = std::move(value);
  return schema;
}

Schema event_schema() {
  return object_schema(
      {
          {"index", number_schema("Its place in the session, from 0 without holes; 0 in a push.")},
          {"type", choice_schema("What happened.",
                                 {"status", "message", "delta", "tool_call", "tool_result",
                                  "completion", "error", "permission", "system"})},
          {"text", text_schema("The status, the words, the tool's arguments or result, ...")},
          {"tool_name", text_schema("Of tool_call and tool_result; else empty.")},
          {"role", text_schema("user, assistant or thought; else empty.")},
          {"session_id", text_schema("")},
          {"timestamp", text_schema("RFC 3339, UTC, with milliseconds.")},
          {"project_id", text_schema("")},
          {"task_id", text_schema("The task that it belongs to.")},
          {"tool_call_id", text_schema("The same in a tool_call and its tool_result.")},
          {"status", text_schema("Of a tool, a permission or a completion.")},
          {"usage", any_schema("What the task has cost, in the agent's own numbers.")},
          {"data", any_schema("Details, by type; of a permission: its id, options, questions.")},
      },
      {"index", "type", "text", "tool_name", "role", "session_id"});
}

Schema permission_schema() {
  return object_schema(
      {
          {"permission_id", text_schema("To be given to permission_answer.")},
          {"tool_call_id", text_schema("")},
          {"title", text_schema("What the agent would do, or its question.")},
          {"input", any_schema("The arguments of the tool that it would use.")},
          {"options",
           list_schema("What may be chosen.",
                       object_schema({{"option_id", text_schema("")},
                                      {"label", text_schema("")},
                                      {"kind", text_schema("allow_once, allow_always, reject_once "
                                                           "or reject_always.")}},
                                     {"option_id", "label", "kind"}))},
          {"questions", list_schema("What is to be answered in words.",
                                    object_schema({{"text", text_schema("")},
                                                   {"choices", list_schema("Empty: any words.",
                                                                           text_schema(""))},
                                                   {"takes_many", flag_schema("")}},
                                                  {"text", "choices", "takes_many"}))},
          {"asked_at", text_schema("")},
          {"expires_at", or_null(text_schema("Then it is refused; null: never."))},
      },
      {"permission_id", "title", "options", "questions"});
}

Schema session_schema() {
  return object_schema(
      {
          {"session_id", text_schema("")},
          {"agent", text_schema("")},
          {"project_id", text_schema("")},
          {"title", text_schema("")},
          {"workspace", text_schema("The directory that the agent works in.")},
          {"status", choice_schema("failed: the agent died; the next message tries again.",
                                   {"idle", "running", "failed", "completed"})},
          {"state", text_schema("idle, commanded, processing, awaiting_input (answer it with "
                                "permission_answer) or complete.")},
          {"is_live", flag_schema("The agent's process runs.")},
          {"is_observed", flag_schema("Somebody else runs it: it takes no messages from here.")},
          {"is_imported", flag_schema("It was read from a transcript of the past.")},
          {"silence", or_null(text_schema("Of an observed one, what it means that nothing is heard "
                                          "of it: none, at_rest, question, tool, unknown, gone."))},
          {"reason", text_schema("Why it failed.")},
          {"created_at", text_schema("")},
          {"updated_at", text_schema("")},
          {"task_id", text_schema("Of the task at work, else of the last one.")},
          {"turns", number_schema("")},
          {"queued", number_schema("Messages that wait for the agent.")},
          {"last_index", number_schema("Of its newest event.")},
          {"last_text", text_schema("The end of what the agent said last.")},
          {"tool", or_null(object_schema({{"tool_call_id", text_schema("")},
                                          {"tool_name", text_schema("")},
                                          {"since", text_schema("")}},
                                         {"tool_call_id", "tool_name", "since"}))},
          {"permissions",
           list_schema("Questions of the agent that nobody has answered.", permission_schema())},
          {"usage", or_null(typed("object", "Of the last task."))},
          {"total_usage", or_null(typed("object", "Of all its tasks."))},
          {"agent_session_id", text_schema("By which the agent itself knows it.")},
      },
      {"session_id", "agent", "status", "state", "last_index", "permissions"});
}

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

json::object refuse(const Error& error, const json::object& data) {
  const std::string hint = hint_for(error);
  json::object result =
      mcp::tool_error(hint.empty() ? error.message : fmt::format("{}. {}", error.message, hint));
  json::object told{{"code", code_of(error.kind)}, {"message", error.message}, {"hint", hint}};
  if (!data.empty()) told["data"] = data;
  result["_meta"] = json::object{{"oriel/error", std::move(told)}};
  return result;
}

Result<void> check_may_write(const mcp::Call& call) {
  if (call.principal().may_write) return {};
  return Error{.kind = ErrorKind::kReadOnly,
               .message = "the token " + call.principal().name + " may only read",
               .hint =
                   "Ask the person who runs Oriel for a token that may write; session_list, "
                   "session_get, session_events and session_watch work with this one."};
}

mcp::RpcResult to_result(Result<json::object> content) {
  if (!content) return refuse(content.error());
  return mcp::structured_result(*std::move(content));
}

}  // namespace oriel
