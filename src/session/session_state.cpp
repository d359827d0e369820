#include "session/session_state.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "base/text/line_memory.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

template <class Values>
json::array array_of(const Values& values) {
  json::array array;
  for (const auto& value : values)
    array.push_back(to_json(value));
  return array;
}

SessionState read_document(const json::value& document, DocumentReader reader) {
  const DocumentFields fields(document);
  SessionState state;
  state.session_id = fields.text("session_id");
  state.agent = fields.text("agent");
  state.project_id = fields.text_if_any("project_id");
  state.title = fields.text_if_any("title");
  state.workspace = fields.text("workspace");
  state.permissions = parse_permission_mode(fields.text_if_any("permissions"));
  state.request_id = fields.text_if_any("request_id");
  state.owner = fields.text_if_any("owner");
  state.created_at = fields.time("created_at");
  state.updated_at = fields.time("updated_at");
  state.last_index = fields.index("last_index");
  state.status = parse_session_status(fields.text("status")).value();
  state.state = parse_work_state(fields.text("state")).value();
  if (fields.has("state_since")) state.state_since = fields.time("state_since");
  state.reason = fields.text_if_any("reason");
  state.task_id = fields.text_if_any("task_id");
  if (fields.has("is_in_task")) state.is_in_task = fields.flag("is_in_task");
  if (fields.has("turns")) state.turns = fields.number("turns");
  state.last_text = fields.text_if_any("last_text");
  if (fields.has("usage")) state.usage = parse_usage(fields.at("usage").as_object());
  if (fields.has("total_usage"))
    state.total_usage = parse_usage(fields.at("total_usage").as_object());
  state.agent_session_id = fields.text_if_any("agent_session_id");
  for (const json::value& item : fields.array_if_any("queue")) {
    const DocumentFields queued(item);
    state.queue.push_back({.task_id = queued.text("task_id"), .text = queued.text("text")});
  }
  for (const json::value& item : fields.array_if_any("requests")) {
    const DocumentFields taken(item);
    state.requests.push_back({.request_id = taken.text("request_id"),
                              .task_id = taken.text("task_id"),
                              .turn_id = taken.text("turn_id"),
                              .last_index = taken.index("last_index")});
  }
  for (const json::value& item : fields.array_if_any("tools")) {
    const DocumentFields tool(item);
    state.tools.push_back({.tool_call_id = tool.text("tool_call_id"),
                           .tool_name = tool.text("tool_name"),
                           .since = tool.time("since")});
  }
  if (reader == DocumentReader::kRestart) return state;
  if (fields.has("is_live")) state.is_live = fields.flag("is_live");
  for (const json::value& item : fields.array_if_any("pending"))
    state.pending.push_back(parse_permission(item.as_object()));
  return state;
}

}  // namespace

std::string to_document(const SessionState& state, DocumentReader reader) {
  json::array queue;
  for (const QueuedMessage& queued : state.queue)
    queue.push_back({{"task_id", queued.task_id}, {"text", queued.text}});
  json::array requests;
  for (const TakenRequest& taken : state.requests)
    requests.push_back({{"request_id", taken.request_id},
                        {"task_id", taken.task_id},
                        {"turn_id", taken.turn_id},
                        {"last_index", taken.last_index}});
  json::array tools;
  for (const ToolAtWork& tool : state.tools)
    tools.push_back({{"tool_call_id", tool.tool_call_id},
                     {"tool_name", tool.tool_name},
                     {"since", unix_milliseconds(tool.since)}});
  // Omits empty members, because the whole document is written again with each step.
  json::object object;
  const auto put_text = [&object](std::string_view key, std::string_view text) {
    if (!text.empty()) object.emplace(key, text);
  };
  const auto put_all = [&object](std::string_view key, const auto& values) {
    if (!values.empty()) object.emplace(key, values);
  };
  object.emplace("session_id", state.session_id);
  object.emplace("agent", state.agent);
  put_text("project_id", state.project_id);
  put_text("title", state.title);
  object.emplace("workspace", state.workspace);
  if (state.permissions) put_text("permissions", name_of(*state.permissions));
  put_text("request_id", state.request_id);
  put_text("owner", state.owner);
  object.emplace("created_at", unix_milliseconds(state.created_at));
  object.emplace("updated_at", unix_milliseconds(state.updated_at));
  object.emplace("last_index", state.last_index);
  object.emplace("status", name_of(state.status));
  object.emplace("state", name_of(state.state));
  if (state.state_since) object.emplace("state_since", unix_milliseconds(*state.state_since));
  put_text("reason", state.reason);
  put_text("task_id", state.task_id);
  if (state.is_in_task) object.emplace("is_in_task", true);
  if (state.turns > 0) object.emplace("turns", state.turns);
  put_text("last_text", state.last_text);
  put_all("usage", to_json(state.usage));
  put_all("total_usage", to_json(state.total_usage));
  put_text("agent_session_id", state.agent_session_id);
  put_all("queue", queue);
  put_all("requests", requests);
  put_all("tools", tools);
  if (reader == DocumentReader::kOtherNodes) {
    if (state.is_live) object.emplace("is_live", true);
    put_all("pending", array_of(state.pending));
  }
  return json_text(object);
}

Result<SessionState> parse_document(std::string_view text, DocumentReader reader) {
  LineMemory memory;  // the start parses thousands of documents
  try {
    return read_document(json::parse(text, memory.storage()), reader);
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not a session's document: ") + failure.what(),
                 .hint = "another version of Oriel may have written it; its events are kept"};
  }
}

json::object to_json(const SessionState& state) {
  json::object object = {{"session_id", state.session_id},
                         {"agent", state.agent},
                         {"project_id", state.project_id},
                         {"title", state.title},
                         {"is_pinned", state.is_pinned},
                         {"is_archived", state.is_archived},
                         {"labels", json::value_from(state.labels)},
                         {"owner", state.owner},
                         {"workspace", state.workspace},
                         {"status", name_of(state.status)},
                         {"state", name_of(state.state)},
                         {"state_since", nullptr},
                         {"is_live", state.is_live},
                         {"is_observed", state.is_observed},
                         {"is_imported", state.is_imported},
                         {"silence", nullptr},
                         {"reason", state.reason},
                         {"created_at", format_time(state.created_at)},
                         {"updated_at", format_time(state.updated_at)},
                         {"task_id", state.task_id},
                         {"turns", state.turns},
                         {"queued", state.queue.size()},
                         {"last_index", state.last_index},
                         {"last_text", state.last_text},
                         {"tool", nullptr},
                         {"permissions", array_of(state.pending)},
                         {"usage", nullptr},
                         {"total_usage", nullptr},
                         {"agent_session_id", state.agent_session_id}};
  if (state.state_since) object["state_since"] = format_time(*state.state_since);
  if (!state.tools.empty()) {
    const ToolAtWork& newest = state.tools.back();
    object["tool"] = {{"tool_call_id", newest.tool_call_id},
                      {"tool_name", newest.tool_name},
                      {"since", format_time(newest.since)}};
  }
  if (!state.usage.is_empty()) object["usage"] = to_json(state.usage);
  if (!state.total_usage.is_empty()) object["total_usage"] = to_json(state.total_usage);
  if (state.is_observed) object["silence"] = name_of(state.silence);
  if (!state.node.empty()) object["node"] = state.node;
  return object;
}

}  // namespace oriel
