#include "base/turn_event.h"

namespace oriel {
namespace {

namespace json = boost::json;

SessionEvent event_of(const Turn& turn, std::string_view feed_type, WallTime time) {
  SessionEvent event;
  event.type = "system";
  event.feed_type = feed_type;
  event.text = turn.text;
  event.role = turn.actor == TurnActor::kUser ? "user" : "assistant";
  event.session_id = turn.session_id;
  event.project_id = turn.project_id;
  event.timestamp = time;
  event.task_id = turn.task_id;
  return event;
}

// All of the turn but its text, which is the event's.
json::object facts_of(const Turn& turn) {
  json::object facts = to_json(turn);
  facts.erase("text");
  facts.erase("session_id");
  if (turn.files.empty()) facts.erase("files");
  return facts;
}

}  // namespace

SessionEvent turn_created_event(const Turn& turn) {
  SessionEvent event = event_of(turn, "turn_created", turn.timestamp);
  if (turn.source != TurnSource::kMessage) event.type = "message";
  event.data = facts_of(turn);
  return event;
}

SessionEvent turn_updated_event(const Turn& turn, const TurnChange& change) {
  SessionEvent event = event_of(turn, "turn_updated", turn.timestamp);
  json::object data = facts_of(turn);
  data["update_type"] = change.update_type;
  if (change.old_timestamp) data["old_timestamp"] = format_time(*change.old_timestamp);
  event.data = std::move(data);
  return event;
}

SessionEvent turn_detected_event(const Turn& turn) {
  SessionEvent event = event_of(turn, "turn_detected", turn.timestamp);
  event.text.clear();
  event.data = facts_of(turn);
  return event;
}

SessionEvent state_transition_event(const StateTransition& transition, WallTime now) {
  SessionEvent event;
  event.type = "system";
  event.feed_type = "state_transition";
  event.text = std::string(name_of(transition.from)) + " -> " + std::string(name_of(transition.to));
  event.session_id = transition.session_id;
  event.project_id = transition.project_id;
  event.timestamp = now;
  event.data =
      json::object{{"agent_id", transition.session_id},  {"project_id", transition.project_id},
                   {"task_id", transition.task_id},      {"from_state", name_of(transition.from)},
                   {"to_state", name_of(transition.to)}, {"trigger", transition.trigger},
                   {"timestamp", format_time(now)}};
  return event;
}

}  // namespace oriel
