#include "session/session_state.h"

#include "core/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <array>
#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> kStatuses = {"idle", "running", "failed", "completed"};
constexpr std::array<std::string_view, 5> kStates = {"idle", "commanded", "processing",
                                                     "awaiting_input", "complete"};

constexpr std::int64_t kLastMillisecond = 253'402'300'799'999;  // of the year 9999

template <class Kind, std::size_t N>
std::optional<Kind> find_kind(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

std::int64_t milliseconds_of(WallTime time) {
  return time.time_since_epoch().count();
}

WallTime time_at(const json::value& value) {
  const auto count = value.to_number<std::int64_t>();
  if (count < 0 || count > kLastMillisecond) throw std::out_of_range("a time beyond the calendar");
  return WallTime(std::chrono::milliseconds(count));
}

std::string string_at(const json::object& object, std::string_view key) {
  return json::value_to<std::string>(object.at(key));
}

json::object to_json(const PermissionOption& option) {
  return {{"option_id", option.id}, {"label", option.label}, {"kind", name_of(option.kind)}};
}

json::object to_json(const Question& question) {
  return {{"text", question.text},
          {"choices", json::value_from(question.choices)},
          {"takes_many", question.takes_many}};
}

template <class Values>
json::array array_of(const Values& values) {
  json::array array;
  for (const auto& value : values)
    array.push_back(to_json(value));
  return array;
}

SessionState read_document(const json::object& object) {
  SessionState state;
  state.session_id = string_at(object, "session_id");
  state.agent = string_at(object, "agent");
  state.project_id = string_at(object, "project_id");
  state.title = string_at(object, "title");
  state.workspace = string_at(object, "workspace");
  state.permissions = string_at(object, "permissions");
  state.request_id = string_at(object, "request_id");
  state.last_index = object.at("last_index").to_number<std::int64_t>();
  state.created_at = time_at(object.at("created_at"));
  state.updated_at = time_at(object.at("updated_at"));
  state.status = find_kind<SessionStatus>(kStatuses, string_at(object, "status")).value();
  state.state = find_kind<WorkState>(kStates, string_at(object, "state")).value();
  state.reason = string_at(object, "reason");
  state.turn_id = string_at(object, "turn_id");
  state.is_in_turn = object.at("is_in_turn").as_bool();
  state.turns = object.at("turns").to_number<std::uint64_t>();
  state.last_text = string_at(object, "last_text");
  state.usage = object.at("usage").as_object();
  state.agent_session_id = string_at(object, "agent_session_id");
  for (const json::value& item : object.at("queue").as_array()) {
    const json::object& queued = item.as_object();
    state.queue.push_back(
        {.turn_id = string_at(queued, "turn_id"), .text = string_at(queued, "text")});
  }
  for (const json::value& item : object.at("requests").as_array()) {
    const json::object& taken = item.as_object();
    state.requests.push_back({.request_id = string_at(taken, "request_id"),
                              .turn_id = string_at(taken, "turn_id"),
                              .last_index = taken.at("last_index").to_number<std::int64_t>()});
  }
  for (const json::value& item : object.at("tools").as_array()) {
    const json::object& tool = item.as_object();
    state.tools.push_back({.tool_call_id = string_at(tool, "tool_call_id"),
                           .tool_name = string_at(tool, "tool_name"),
                           .since = time_at(tool.at("since"))});
  }
  return state;
}

}  // namespace

std::string_view name_of(SessionStatus status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

std::string_view name_of(WorkState state) {
  return kStates[static_cast<std::size_t>(state)];
}

std::optional<SessionStatus> parse_session_status(std::string_view name) {
  return find_kind<SessionStatus>(kStatuses, name);
}

std::string to_document(const SessionState& state) {
  json::array queue;
  for (const QueuedMessage& queued : state.queue)
    queue.push_back({{"turn_id", queued.turn_id}, {"text", queued.text}});
  json::array requests;
  for (const TakenRequest& taken : state.requests)
    requests.push_back({{"request_id", taken.request_id},
                        {"turn_id", taken.turn_id},
                        {"last_index", taken.last_index}});
  json::array tools;
  for (const ToolAtWork& tool : state.tools)
    tools.push_back({{"tool_call_id", tool.tool_call_id},
                     {"tool_name", tool.tool_name},
                     {"since", milliseconds_of(tool.since)}});
  const json::object object = {{"session_id", state.session_id},
                               {"agent", state.agent},
                               {"project_id", state.project_id},
                               {"title", state.title},
                               {"workspace", state.workspace},
                               {"permissions", state.permissions},
                               {"request_id", state.request_id},
                               {"created_at", milliseconds_of(state.created_at)},
                               {"updated_at", milliseconds_of(state.updated_at)},
                               {"last_index", state.last_index},
                               {"status", name_of(state.status)},
                               {"state", name_of(state.state)},
                               {"reason", state.reason},
                               {"turn_id", state.turn_id},
                               {"is_in_turn", state.is_in_turn},
                               {"turns", state.turns},
                               {"last_text", state.last_text},
                               {"usage", state.usage},
                               {"agent_session_id", state.agent_session_id},
                               {"queue", std::move(queue)},
                               {"requests", std::move(requests)},
                               {"tools", std::move(tools)}};
  return json_text(object);
}

Result<SessionState> parse_document(std::string_view text) {
  try {
    return read_document(json::parse(text).as_object());
  } catch (const std::exception& failure) {
    return Error{.code = "bad_document",
                 .message = std::string("not a session's document: ") + failure.what(),
                 .hint = "it may be of another version of Oriel; its events are kept"};
  }
}

json::object to_json(const PendingPermission& permission) {
  json::object object = {{"permission_id", permission.permission_id},
                         {"tool_call_id", permission.asked.tool_call_id},
                         {"title", permission.asked.title},
                         {"input", permission.asked.input},
                         {"options", array_of(permission.asked.options)},
                         {"questions", array_of(permission.asked.questions)},
                         {"asked_at", format_time(permission.asked_at)},
                         {"expires_at", nullptr}};
  if (permission.expires_at) object["expires_at"] = format_time(*permission.expires_at);
  return object;
}

json::object to_json(const SessionState& state) {
  json::object object = {{"session_id", state.session_id},
                         {"agent", state.agent},
                         {"project_id", state.project_id},
                         {"title", state.title},
                         {"workspace", state.workspace},
                         {"status", name_of(state.status)},
                         {"state", name_of(state.state)},
                         {"is_live", state.is_live},
                         {"reason", state.reason},
                         {"created_at", format_time(state.created_at)},
                         {"updated_at", format_time(state.updated_at)},
                         {"turn_id", state.turn_id},
                         {"turns", state.turns},
                         {"queued", state.queue.size()},
                         {"last_index", state.last_index},
                         {"last_text", state.last_text},
                         {"tool", nullptr},
                         {"permissions", array_of(state.pending)},
                         {"usage", nullptr},
                         {"agent_session_id", state.agent_session_id}};
  if (!state.tools.empty()) {
    const ToolAtWork& newest = state.tools.back();
    object["tool"] = {{"tool_call_id", newest.tool_call_id},
                      {"tool_name", newest.tool_name},
                      {"since", format_time(newest.since)}};
  }
  if (!state.usage.empty()) object["usage"] = state.usage;
  return object;
}

}  // namespace oriel
