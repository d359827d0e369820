#include "base/event/event_json.h"
#include "base/text/json_access.h"

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

// An event's JSON by key.
class Wire {
 public:
  Wire(std::string_view feed_type, const json::object& json) : feed_type_(feed_type), json_(json) {}

  std::string_view feed_type() const { return feed_type_; }

  std::string text(std::string_view key) const { return text_at(json_, key); }

  bool has(std::string_view key) const { return json_.contains(key); }

  const json::value& value(std::string_view key) const { return oriel::member(json_, key); }

  const json::value& data(std::string_view key) const { return oriel::member(value("data"), key); }

  std::string data_text(std::string_view key) const { return std::string(text_of(data(key))); }

  std::int64_t data_number(std::string_view key) const { return number_of(data(key)).value_or(0); }

  WallTime data_time(std::string_view key) const {
    return parse_time(text_of(data(key))).value_or(WallTime{});
  }

 private:
  std::string_view feed_type_;
  const json::object& json_;
};

std::vector<TurnFile> parse_files(const json::value& array) {
  std::vector<TurnFile> files;
  for (const json::value& file : elements_of(array)) {
    const std::int64_t size = number_of(member(file, "size")).value_or(0);
    files.push_back({.file_id = text_at(file, "file_id"),
                     .name = text_at(file, "name"),
                     .type = text_at(file, "type"),
                     .size = static_cast<std::uint64_t>(size)});
  }
  return files;
}

std::optional<TurnOrigin> parse_origin(const json::value& data) {
  const auto source = parse_turn_source(text_of(member(data, "source")));
  if (!source) return std::nullopt;
  return TurnOrigin{.source = *source,
                    .said_at = parse_time(text_of(member(data, "said_at"))),
                    .files = parse_files(member(data, "files"))};
}

Turn parse_turn(const Wire& wire) {
  Turn turn;
  turn.turn_id = wire.data_text("turn_id");
  turn.session_id = wire.data_text("agent_id");
  turn.project_id = wire.data_text("project_id");
  turn.task_id = wire.data_text("task_id");
  turn.actor = parse_turn_actor(wire.data_text("actor")).value_or(TurnActor::kUser);
  turn.intent = parse_turn_intent(wire.data_text("intent")).value_or(TurnIntent::kCommand);
  turn.text = wire.text("text");
  turn.timestamp = wire.data_time("timestamp");
  turn.timestamp_source =
      parse_timestamp_source(wire.data_text("timestamp_source")).value_or(TimestampSource::kServer);
  turn.source = parse_turn_source(wire.data_text("source")).value_or(TurnSource::kMessage);
  turn.entry_id = wire.data_text("entry_id");
  turn.ordinal = static_cast<std::uint64_t>(wire.data_number("ordinal"));
  turn.files = parse_files(wire.data("files"));
  turn.data = parse_turn_data(object_of(wire.data("data")));
  return turn;
}

EventPayload parse_custom(const Wire& wire) {
  event::Custom custom{.type = wire.text("type"), .text = wire.text("text"), .data = {}};
  if (wire.has("data")) custom.data = wire.value("data");
  custom.by = wire.text("by");
  return custom;
}

EventPayload parse_status(const Wire& wire) {
  const auto status = parse_session_status(wire.text("status"));
  return event::StatusChanged{.status = status.value_or(SessionStatus::kIdle),
                              .reason = wire.data_text("reason")};
}

EventPayload parse_turn_created(const Wire& wire, bool is_message) {
  return event::TurnCreated{.turn = parse_turn(wire),
                            .message_index = number_of(wire.data("message_index")),
                            .is_message = is_message};
}

EventPayload parse_message(const Wire& wire) {
  if (wire.feed_type() == event::TurnCreated::kFeedType) return parse_turn_created(wire, true);
  if (wire.text("role") == "user")
    return event::UserMessage{.text = wire.text("text"),
                              .request_id = wire.data_text("request_id"),
                              .origin = parse_origin(wire.value("data")),
                              .by = wire.data_text("by")};
  return event::AssistantMessage{.number = wire.data_number("message"), .text = wire.text("text")};
}

EventPayload parse_delta(const Wire& wire) {
  if (wire.text("role") == "thought") return event::ThoughtDelta{.text = wire.text("text")};
  return event::AssistantDelta{.number = wire.data_number("message"), .text = wire.text("text")};
}

EventPayload parse_tool_call(const Wire& wire) {
  return event::ToolCall{
      .id = wire.text("tool_call_id"), .name = wire.text("tool_name"), .input = wire.text("text")};
}

EventPayload parse_tool_result(const Wire& wire) {
  return event::ToolResult{.id = wire.text("tool_call_id"),
                           .name = wire.text("tool_name"),
                           .is_ok = wire.text("status") != "error",
                           .output = wire.text("text"),
                           .duration = milliseconds(wire.data_number("duration_ms"))};
}

std::optional<event::Reply> parse_reply(const json::value& said) {
  if (!said.is_object()) return std::nullopt;
  return event::Reply{.turn_id = text_at(said, "turn_id"),
                      .text = text_at(said, "text"),
                      .request_id = text_at(said, "request_id"),
                      .origin = parse_origin(said)};
}

EventPayload parse_permission_event(const Wire& wire) {
  PendingPermission permission = parse_permission(object_of(wire.value("data")));
  const auto status = parse_permission_status(wire.text("status"));
  if (status == PermissionStatus::kPending)
    return event::PermissionRequested{.permission = std::move(permission)};
  std::vector<std::string> answers;
  for (const json::value& answer : elements_of(wire.data("answers")))
    answers.emplace_back(text_of(answer));
  return event::PermissionResolved{
      .permission = std::move(permission),
      .status = status.value_or(PermissionStatus::kWithdrawn),
      .by = parse_decider(wire.data_text("by")),
      .answer = {.option_id = wire.data_text("option_id"), .answers = std::move(answers)},
      .reply = parse_reply(wire.data("said"))};
}

EventPayload parse_completion(const Wire& wire) {
  return event::Completion{.outcome = parse_task_end(wire.text("status")).value_or(TaskEnd::kError),
                           .text = wire.text("text"),
                           .detail = wire.data_text("detail"),
                           .usage = parse_usage(wire.value("usage")),
                           .duration = milliseconds(wire.data_number("duration_ms")),
                           .by = wire.data_text("by")};
}

// Without a name of its own on the feed.
EventPayload parse_notice(const Wire& wire) {
  if (!wire.has("data")) return event::Notice{.text = wire.text("text")};
  if (!wire.data("agent_session_id").is_string()) return parse_custom(wire);
  const std::string text = wire.text("text");
  const std::size_t colon = text.find(": ");
  return event::AgentReady{.version = colon == text.npos ? "" : text.substr(colon + 2),
                           .agent_session_id = wire.data_text("agent_session_id")};
}

EventPayload parse_session_created(const Wire& wire) {
  return event::SessionCreated{.agent = wire.data_text("agent"),
                               .title = wire.data_text("title"),
                               .workspace = wire.data_text("workspace"),
                               .is_observed = is_true(wire.data("is_observed")),
                               .by = wire.data_text("by")};
}

EventPayload parse_session_ended(const Wire& wire) {
  event::SessionEnded ended{.turns = static_cast<std::uint64_t>(wire.data_number("turns")),
                            .reason = {},
                            .by = wire.data_text("by")};
  if (wire.data("reason").is_string()) ended.reason = wire.data_text("reason");
  return ended;
}

EventPayload parse_session_imported(const Wire& wire) {
  return event::SessionImported{.agent = wire.data_text("agent"),
                                .workspace = wire.data_text("workspace"),
                                .title = wire.data_text("title"),
                                .turns = static_cast<std::uint64_t>(wire.data_number("turns")),
                                .created_at = wire.data_time("created_at"),
                                .ended_at = wire.data_time("ended_at")};
}

EventPayload parse_agent_silence(const Wire& wire) {
  return event::AgentSilence{
      .kind = parse_silence(wire.data_text("kind")).value_or(Silence::kUnknown),
      .since = wire.data_time("since"),
      .tool_name = wire.text("tool_name"),
      .tool_call_id = wire.text("tool_call_id")};
}

EventPayload parse_state_transition(const Wire& wire) {
  return event::StateTransition{
      .from = parse_work_state(wire.data_text("from_state")).value_or(WorkState::kIdle),
      .to = parse_work_state(wire.data_text("to_state")).value_or(WorkState::kIdle),
      .trigger = parse_state_trigger(wire.data_text("trigger")).value_or(StateTrigger::kWork)};
}

EventPayload parse_turn_updated(const Wire& wire) {
  return event::TurnUpdated{
      .turn = parse_turn(wire),
      .change = parse_turn_change(wire.data_text("update_type")).value_or(TurnChange::kText),
      .old_timestamp = parse_time(wire.data_text("old_timestamp"))};
}

EventPayload parse_system(const Wire& wire) {
  const std::string_view name = wire.feed_type();
  if (name == event::SessionCreated::kFeedType) return parse_session_created(wire);
  if (name == event::SessionResumed::kFeedType) return event::SessionResumed{};
  if (name == event::SessionEnded::kFeedType) return parse_session_ended(wire);
  if (name == event::SessionImported::kFeedType) return parse_session_imported(wire);
  if (name == event::AgentSilence::kFeedType) return parse_agent_silence(wire);
  if (name == event::StateTransition::kFeedType) return parse_state_transition(wire);
  if (name == event::TurnCreated::kFeedType) return parse_turn_created(wire, false);
  if (name == event::TurnUpdated::kFeedType) return parse_turn_updated(wire);
  if (name == event::TurnDetected::kFeedType) return event::TurnDetected{.turn = parse_turn(wire)};
  return parse_notice(wire);
}

EventPayload parse_audit(const Wire& wire) {
  const auto action = parse_audit_action(wire.text("text"));
  if (!action) return parse_custom(wire);
  event::Audit audit{.action = *action,
                     .by = wire.data_text("by"),
                     .address = wire.data_text("address"),
                     .session_id = wire.data_text("session_id")};
  audit.token = wire.data_text("token");
  const std::string status = wire.text("status");
  if (status != "ok") audit.refusal = parse_error_code(status);
  return audit;
}

EventPayload parse_payload(EventType type, const Wire& wire) {
  switch (type) {
    case EventType::kStatus:
      return parse_status(wire);
    case EventType::kMessage:
      return parse_message(wire);
    case EventType::kDelta:
      return parse_delta(wire);
    case EventType::kToolCall:
      return parse_tool_call(wire);
    case EventType::kToolResult:
      return parse_tool_result(wire);
    case EventType::kCompletion:
      return parse_completion(wire);
    case EventType::kError:
      return event::TaskError{.message = wire.text("text")};
    case EventType::kPermission:
      return parse_permission_event(wire);
    case EventType::kSystem:
      return parse_system(wire);
    case EventType::kAudit:
      return parse_audit(wire);
    case EventType::kCustom:
      break;
  }
  return parse_custom(wire);
}

SessionEvent parse_as(EventType type, const Wire& wire) {
  return {.session_id = wire.text("session_id"),
          .project_id = wire.text("project_id"),
          .task_id = wire.text("task_id"),
          .timestamp = parse_time(wire.text("timestamp")).value_or(WallTime{}),
          .payload = parse_payload(type, wire)};
}

}  // namespace

SessionEvent parse_event(const Record& record) {
  const json::object json = parse_object(record.json());
  return parse_as(record.event_type, Wire(record.type, json));
}

SessionEvent parse_event(std::string_view feed_type, const json::object& json) {
  return parse_as(parse_event_type(text_at(json, "type")), Wire(feed_type, json));
}

}  // namespace oriel
