#include "base/event/event_json.h"

#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

// The keys of an event that depend on its payload. Views are into the event; JSON is text, empty if
// there is none.
struct WireFields {
  std::string_view type;
  std::string_view text;
  std::string_view tool_name;
  std::string_view role;
  std::string_view tool_call_id;
  std::string_view status;
  std::string_view by;
  std::string usage;
  std::string data;
  std::string composed_text;  // behind `text` if no member of the event has it
};

// Growing or shrinking the string of a body copies it, which a long text must not cost.
constexpr std::size_t kLongText = 16 << 10;
constexpr std::size_t kOtherFields = 512;  // bytes of a body beside its text and data, as a rule

constexpr std::string_view kUser = "user";
constexpr std::string_view kAssistant = "assistant";
constexpr std::string_view kThought = "thought";

void compose(WireFields& fields, std::string text) {
  fields.composed_text = std::move(text);
  fields.text = fields.composed_text;
}

std::string number_data(std::string_view key, std::int64_t number) {
  std::string out = "{\"";
  out += key;
  out += "\":";
  out += std::to_string(number);
  out += '}';
  return out;
}

void put(json::object& data, const std::optional<TurnOrigin>& origin) {
  if (!origin) return;
  data["source"] = name_of(origin->source);
  if (origin->said_at) data["said_at"] = format_time(*origin->said_at);
  if (!origin->files.empty()) data["files"] = to_json(origin->files);
}

void put_by(json::object& data, const std::string& by) {
  if (!by.empty()) data["by"] = by;
}

// All of the turn but its text, which is the event's.
json::object facts_of(const Turn& turn) {
  json::object facts = to_json(turn);
  facts.erase("text");
  facts.erase("session_id");
  if (turn.files.empty()) facts.erase("files");
  return facts;
}

void describe(const Turn& turn, WireFields& fields) {
  fields.text = turn.text;
  fields.role = turn.actor == TurnActor::kUser ? kUser : kAssistant;
}

std::string in_words(milliseconds time) {
  const auto seconds = time.count() / 1000;
  return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

// Each payload's part.

void write(const event::StatusChanged& status, const SessionEvent&, WireFields& fields) {
  fields.text = fields.status = name_of(status.status);
  if (!status.reason.empty()) fields.data = json_text(json::object{{"reason", status.reason}});
}

void write(const event::UserMessage& message, const SessionEvent&, WireFields& fields) {
  fields.text = message.text;
  fields.role = kUser;
  json::object data;
  put(data, message.origin);
  if (!message.request_id.empty()) data["request_id"] = message.request_id;
  put_by(data, message.by);
  if (!data.empty()) fields.data = json_text(data);
}

void write(const event::AssistantMessage& message, const SessionEvent&, WireFields& fields) {
  fields.text = message.text;
  fields.role = kAssistant;
  fields.data = number_data("message", message.number);
}

void write(const event::AssistantDelta& delta, const SessionEvent&, WireFields& fields) {
  fields.text = delta.text;
  fields.role = kAssistant;
  fields.data = number_data("message", delta.number);
}

void write(const event::ThoughtDelta& delta, const SessionEvent&, WireFields& fields) {
  fields.text = delta.text;
  fields.role = kThought;
}

void write(const event::ToolCall& call, const SessionEvent&, WireFields& fields) {
  fields.text = call.input;
  fields.tool_name = call.name;
  fields.tool_call_id = call.id;
  fields.status = "running";
}

void write(const event::ToolResult& result, const SessionEvent&, WireFields& fields) {
  fields.text = result.output;
  fields.tool_name = result.name;
  fields.tool_call_id = result.id;
  fields.status = result.is_ok ? "ok" : "error";
  fields.data = number_data("duration_ms", result.duration.count());
}

void write(const event::PermissionRequested& requested, const SessionEvent&, WireFields& fields) {
  const PendingPermission& permission = requested.permission;
  fields.text = permission.asked.title;
  fields.tool_call_id = permission.asked.tool_call_id;
  fields.status = name_of(PermissionStatus::kPending);
  fields.data = json_text(to_json(permission));
}

void write(const event::PermissionResolved& resolved, const SessionEvent&, WireFields& fields) {
  const PendingPermission& permission = resolved.permission;
  fields.text = permission.asked.title;
  fields.tool_call_id = permission.asked.tool_call_id;
  fields.status = name_of(resolved.status);
  json::object data = to_json(permission);
  data["by"] = name_of(resolved.by);
  data["option_id"] = resolved.answer.option_id;
  data["answers"] = json::value_from(resolved.answer.answers);
  if (resolved.reply) {
    json::object said;
    put(said, resolved.reply->origin);
    said["turn_id"] = resolved.reply->turn_id;
    said["text"] = resolved.reply->text;
    if (!resolved.reply->request_id.empty()) said["request_id"] = resolved.reply->request_id;
    data["said"] = std::move(said);
  }
  fields.data = json_text(data);
}

void write(const event::Completion& completion, const SessionEvent&, WireFields& fields) {
  fields.text = completion.text;
  fields.role = kAssistant;
  fields.status = name_of(completion.outcome);
  if (!completion.usage.is_empty()) fields.usage = json_text(to_json(completion.usage));
  json::object data{{"duration_ms", completion.duration.count()}};
  if (!completion.detail.empty()) data["detail"] = completion.detail;
  put_by(data, completion.by);
  fields.data = json_text(data);
}

void write(const event::TaskError& error, const SessionEvent&, WireFields& fields) {
  fields.text = error.message;
}

void write(const event::Notice& notice, const SessionEvent&, WireFields& fields) {
  fields.text = notice.text;
}

void write(const event::AgentReady& ready, const SessionEvent&, WireFields& fields) {
  const std::string version = ready.version.empty() ? "" : ": " + ready.version;
  compose(fields, "the agent is ready" + version);
  fields.data = json_text(json::object{{"agent_session_id", ready.agent_session_id}});
}

void write(const event::SessionCreated& created, const SessionEvent& event, WireFields& fields) {
  if (created.is_observed) {
    fields.text = "session seen";
    fields.data = json_text(json::object{{"agent_id", event.session_id},
                                         {"agent", created.agent},
                                         {"project_id", event.project_id},
                                         {"workspace", created.workspace},
                                         {"is_observed", true}});
  } else {
    fields.text = "session created";
    json::object data{{"agent", created.agent},
                      {"project_id", event.project_id},
                      {"title", created.title},
                      {"workspace", created.workspace}};
    put_by(data, created.by);
    fields.data = json_text(data);
  }
}

void write(const event::SessionResumed&, const SessionEvent& event, WireFields& fields) {
  fields.text = "session resumed";
  fields.data =
      json_text(json::object{{"agent_id", event.session_id}, {"project_id", event.project_id}});
}

void write(const event::SessionEnded& ended, const SessionEvent& event, WireFields& fields) {
  if (ended.reason) {
    compose(fields, "session ended: " + *ended.reason);
    fields.data = json_text(json::object{{"agent_id", event.session_id},
                                         {"project_id", event.project_id},
                                         {"reason", *ended.reason},
                                         {"turns", ended.turns}});
  } else {
    fields.text = "session ended";
    json::object data{{"turns", ended.turns}};
    put_by(data, ended.by);
    fields.data = json_text(data);
  }
}

void write(const event::SessionImported& imported, const SessionEvent& event, WireFields& fields) {
  fields.text = "session imported";
  fields.data = json_text(json::object{{"agent_id", event.session_id},
                                       {"agent", imported.agent},
                                       {"project_id", event.project_id},
                                       {"workspace", imported.workspace},
                                       {"title", imported.title},
                                       {"turns", imported.turns},
                                       {"created_at", format_time(imported.created_at)},
                                       {"ended_at", format_time(imported.ended_at)}});
}

void write(const event::AgentSilence& silence, const SessionEvent& event, WireFields& fields) {
  const std::string duration = in_words(event.timestamp - silence.since);
  if (silence.kind == Silence::kTool) {
    compose(fields, silence.tool_name + " has been running for " + duration);
  } else if (silence.kind == Silence::kQuestion) {
    compose(fields, "waiting for a person for " + duration);
  } else {
    compose(fields, "no sign of work for " + duration);
  }
  fields.tool_name = silence.tool_name;
  fields.tool_call_id = silence.tool_call_id;
  fields.data = json_text(json::object{{"agent_id", event.session_id},
                                       {"project_id", event.project_id},
                                       {"kind", name_of(silence.kind)},
                                       {"since", format_time(silence.since)}});
}

void write(const event::StateTransition& change, const SessionEvent& event, WireFields& fields) {
  compose(fields, std::string(name_of(change.from)) + " -> " + std::string(name_of(change.to)));
  fields.data = json_text(json::object{{"agent_id", event.session_id},
                                       {"project_id", event.project_id},
                                       {"task_id", event.task_id},
                                       {"from_state", name_of(change.from)},
                                       {"to_state", name_of(change.to)},
                                       {"trigger", name_of(change.trigger)},
                                       {"timestamp", format_time(event.timestamp)}});
}

void write(const event::TurnCreated& created, const SessionEvent&, WireFields& fields) {
  describe(created.turn, fields);
  json::object data = facts_of(created.turn);
  if (created.message_index) data["message_index"] = *created.message_index;
  fields.data = json_text(data);
}

void write(const event::TurnUpdated& updated, const SessionEvent&, WireFields& fields) {
  describe(updated.turn, fields);
  json::object data = facts_of(updated.turn);
  data["update_type"] = name_of(updated.change);
  if (updated.old_timestamp) data["old_timestamp"] = format_time(*updated.old_timestamp);
  fields.data = json_text(data);
}

void write(const event::TurnDetected& detected, const SessionEvent&, WireFields& fields) {
  describe(detected.turn, fields);
  fields.text = {};
  fields.data = json_text(facts_of(detected.turn));
}

void write(const event::Audit& audit, const SessionEvent&, WireFields& fields) {
  fields.text = name_of(audit.action);
  fields.status = audit.refusal ? code_of(*audit.refusal) : "ok";
  json::object data{{"by", audit.by}, {"address", audit.address}};
  if (!audit.session_id.empty()) data["session_id"] = audit.session_id;
  if (!audit.token.empty()) data["token"] = audit.token;
  fields.data = json_text(data);
}

void write(const event::Custom& custom, const SessionEvent&, WireFields& fields) {
  fields.type = custom.type;
  fields.text = custom.text;
  fields.by = custom.by;
  if (custom.data) fields.data = json_text(*custom.data);
}

void append_key(std::string& out, std::string_view key) {
  if (!out.empty()) out += ',';
  out += '"';
  out += key;
  out += "\":";
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  append_json_string(out, text);
}

void append_text_if_any(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) append_text(out, key, text);
}

void append_json_if_any(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  append_key(out, key);
  out += text;
}

}  // namespace

std::string event_json(std::uint64_t index, std::string_view body) {
  std::string out = "{\"index\":" + std::to_string(index) + ",";
  out += body;
  return out;
}

std::string serialize_body(const SessionEvent& event) {
  WireFields fields;
  fields.type = name_of(event.type());
  std::visit([&](const auto& payload) { write(payload, event, fields); }, event.payload);
  const bool is_long = fields.text.size() + fields.data.size() >= kLongText;
  const std::size_t text_size = is_long ? json_string_size(fields.text) : fields.text.size();
  std::string out;
  out.reserve(kOtherFields + fields.tool_name.size() + text_size + fields.data.size());
  append_text(out, "type", fields.type);
  append_text(out, "text", fields.text);
  append_text(out, "tool_name", fields.tool_name);
  append_text(out, "role", fields.role);
  append_text(out, "session_id", event.session_id);
  append_text(out, "timestamp", format_time(event.timestamp));
  append_text_if_any(out, "project_id", event.project_id);
  append_text_if_any(out, "task_id", event.task_id);
  append_text_if_any(out, "tool_call_id", fields.tool_call_id);
  append_text_if_any(out, "status", fields.status);
  append_text_if_any(out, "by", fields.by);
  append_json_if_any(out, "usage", fields.usage);
  append_json_if_any(out, "data", fields.data);
  out += '}';
  if (!is_long) out.shrink_to_fit();  // it is kept
  return out;
}

}  // namespace oriel
