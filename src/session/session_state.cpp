#include "session/session_state.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

// An object's values by key. Asked for in the order in which to_document() writes them, each is the
// next one; in another order it is looked for.
class Fields {
 public:
  explicit Fields(const json::value& object)
      : object_(object.as_object()), next_(object_.begin()) {}

  const json::value& at(std::string_view key) {
    if (const json::value* const found = find(key)) return *found;
    return object_.at(key);
  }

  // Null: there is none.
  const json::value* find(std::string_view key) {
    if (next_ != object_.end() && next_->key() == key) return &(next_++)->value();
    return object_.if_contains(key);
  }

  std::string string_at(std::string_view key) { return string_in(at(key)); }

  // Empty: there is none.
  std::string string_if_any(std::string_view key) {
    const json::value* const found = find(key);
    return found ? string_in(*found) : std::string();
  }

  const json::array& array_if_any(std::string_view key) {
    static const json::array kNone;
    const json::value* const found = find(key);
    return found ? found->as_array() : kNone;
  }

  Usage usage_if_any(std::string_view key) {
    const json::value* const found = find(key);
    return found ? parse_usage(found->as_object()) : Usage();
  }

 private:
  const json::object& object_;
  json::object::const_iterator next_;
};

template <class Values>
json::array array_of(const Values& values) {
  json::array array;
  for (const auto& value : values)
    array.push_back(to_json(value));
  return array;
}

SessionState read_document(const json::value& document) {
  Fields fields(document);
  SessionState state;
  state.session_id = fields.string_at("session_id");
  state.agent = fields.string_at("agent");
  state.project_id = fields.string_if_any("project_id");
  state.title = fields.string_if_any("title");
  state.workspace = fields.string_at("workspace");
  state.permissions = parse_permission_mode(fields.string_if_any("permissions"));
  state.request_id = fields.string_if_any("request_id");
  state.owner = fields.string_if_any("owner");
  state.created_at = time_in(fields.at("created_at"));
  state.updated_at = time_in(fields.at("updated_at"));
  state.last_index = fields.at("last_index").to_number<std::int64_t>();
  state.status = parse_session_status(fields.string_at("status")).value();
  state.state = parse_work_state(fields.string_at("state")).value();
  if (const json::value* const found = fields.find("state_since"))
    state.state_since = time_in(*found);
  state.reason = fields.string_if_any("reason");
  state.task_id = fields.string_if_any("task_id");
  if (const json::value* const found = fields.find("is_in_task"))
    state.is_in_task = found->as_bool();
  if (const json::value* const found = fields.find("turns"))
    state.turns = found->to_number<std::uint64_t>();
  state.last_text = fields.string_if_any("last_text");
  state.usage = fields.usage_if_any("usage");
  state.total_usage = fields.usage_if_any("total_usage");
  state.agent_session_id = fields.string_if_any("agent_session_id");
  for (const json::value& item : fields.array_if_any("queue")) {
    Fields queued(item);
    state.queue.push_back(
        {.task_id = queued.string_at("task_id"), .text = queued.string_at("text")});
  }
  for (const json::value& item : fields.array_if_any("requests")) {
    Fields taken(item);
    state.requests.push_back({.request_id = taken.string_at("request_id"),
                              .task_id = taken.string_at("task_id"),
                              .turn_id = taken.string_at("turn_id"),
                              .last_index = taken.at("last_index").to_number<std::int64_t>()});
  }
  for (const json::value& item : fields.array_if_any("tools")) {
    Fields tool(item);
    state.tools.push_back({.tool_call_id = tool.string_at("tool_call_id"),
                           .tool_name = tool.string_at("tool_name"),
                           .since = time_in(tool.at("since"))});
  }
  return state;
}

}  // namespace

std::string to_document(const SessionState& state) {
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
  return json_text(object);
}

Result<SessionState> parse_document(std::string_view text) {
  // The start parses thousands of documents, so all but long ones are parsed on the stack.
  std::array<unsigned char, 8192> buffer;
  json::monotonic_resource memory(buffer.data(), buffer.size());
  try {
    return read_document(json::parse(text, &memory));
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
  return object;
}

}  // namespace oriel
