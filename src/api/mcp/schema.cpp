#include "api/mcp/schema.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

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
  const json::value description = schema["description"];
  schema.erase("description");
  Schema either{{"anyOf", json::array{std::move(schema), typed("null", "")}}};
  if (!description.is_null()) either["description"] = description;
  return either;
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
          {"index",
           number_schema("The position in the session, from 0 without gaps; 0 in a push.")},
          {"type", choice_schema("The type of the event.",
                                 {"status", "message", "delta", "tool_call", "tool_result",
                                  "completion", "error", "permission", "system"})},
          {"text", text_schema("The status, text, tool arguments or tool result.")},
          {"tool_name", text_schema("For tool_call and tool_result; else empty.")},
          {"role", text_schema("user, assistant or thought; else empty.")},
          {"session_id", text_schema("")},
          {"timestamp", text_schema("RFC 3339, UTC, with milliseconds.")},
          {"project_id", text_schema("")},
          {"task_id", text_schema("The task that it belongs to.")},
          {"tool_call_id", text_schema("The same in a tool_call and its tool_result.")},
          {"status", text_schema("The status of a tool, permission or completion.")},
          {"usage", any_schema("Token usage of the task, as the agent reports it.")},
          {"data", any_schema("Details by type; for a permission its id, options and questions.")},
      },
      {"index", "type", "text", "tool_name", "role", "session_id"});
}

Schema permission_schema() {
  return object_schema(
      {
          {"permission_id", text_schema("Pass it to permission_answer.")},
          {"tool_call_id", text_schema("")},
          {"title", text_schema("The requested action, or the question.")},
          {"input", any_schema("The arguments of the tool.")},
          {"options",
           list_schema("The possible choices.",
                       object_schema({{"option_id", text_schema("")},
                                      {"label", text_schema("")},
                                      {"kind", text_schema("allow_once, allow_always, reject_once "
                                                           "or reject_always.")},
                                      {"scope", text_schema("What a lasting option allows.")}},
                                     {"option_id", "label", "kind"}))},
          {"questions",
           list_schema(
               "Questions to answer with text.",
               object_schema({{"text", text_schema("")},
                              {"choices", list_schema("Suggested answers; empty: free text.",
                                                      text_schema(""))},
                              {"takes_many", flag_schema("")}},
                             {"text", "choices", "takes_many"}))},
          {"asked_at", text_schema("")},
          {"expires_at", or_null(text_schema("When it is denied automatically; null: never."))},
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
          {"is_pinned", flag_schema("A person keeps it at the top.")},
          {"is_archived", flag_schema("Hidden from lists that do not ask for it.")},
          {"labels", list_schema("", text_schema(""))},
          {"owner", text_schema("Who started it; empty if it is observed.")},
          {"workspace", text_schema("The directory that the agent works in.")},
          {"status", choice_schema("failed: the agent died; the next message tries again.",
                                   {"idle", "running", "failed", "completed"})},
          {"state", text_schema("idle, commanded, processing, awaiting_input (answer it with "
                                "permission_answer) or complete.")},
          {"state_since", or_null(text_schema("Since when it is in this state: a commanded session "
                                              "has waited for its agent since then."))},
          {"is_live", flag_schema("The agent's process runs.")},
          {"is_observed", flag_schema("Run outside Oriel; it accepts no messages from here.")},
          {"is_imported", flag_schema("Imported from an old transcript.")},
          {"silence",
           or_null(text_schema("Observed session without news: none, idle, question, tool, "
                               "unknown or gone."))},
          {"reason", text_schema("Why it failed.")},
          {"created_at", text_schema("")},
          {"updated_at", text_schema("")},
          {"task_id", text_schema("The running task, else the last one.")},
          {"turns", number_schema("Utterances of the user and the agent so far.")},
          {"queued", number_schema("Queued messages.")},
          {"last_index", number_schema("The index of its newest event.")},
          {"last_text", text_schema("The end of the agent's last text.")},
          {"tool", or_null(object_schema({{"tool_call_id", text_schema("")},
                                          {"tool_name", text_schema("")},
                                          {"since", text_schema("")}},
                                         {"tool_call_id", "tool_name", "since"}))},
          {"permissions", list_schema("Pending permissions and questions.", permission_schema())},
          {"usage", or_null(typed("object", "Usage of the last task."))},
          {"total_usage", or_null(typed("object", "Usage of all tasks."))},
          {"agent_session_id", text_schema("The agent's own id of the conversation.")},
          {"node", text_schema("In a cluster: the node that runs it.")},
      },
      {"session_id", "agent", "status", "state", "last_index", "permissions"});
}

Schema session_row_schema() {
  Schema schema = session_schema();
  schema["required"] = names({"session_id", "agent", "title", "status", "state", "updated_at"});
  return schema;
}

}  // namespace oriel
