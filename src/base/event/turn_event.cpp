#include "base/event/turn_event.h"

#include <utility>

namespace oriel {
namespace {

SessionEvent event_about(const Turn& turn) {
  SessionEvent event;
  event.session_id = turn.session_id;
  event.project_id = turn.project_id;
  event.task_id = turn.task_id;
  event.timestamp = turn.timestamp;
  return event;
}

}  // namespace

SessionEvent turn_created_event(Turn turn, std::optional<std::int64_t> message_index) {
  SessionEvent event = event_about(turn);
  event.payload = event::TurnCreated{
      .turn = std::move(turn), .message_index = message_index, .is_message = false};
  return event;
}

SessionEvent turn_created_event(Turn turn) {
  SessionEvent event = event_about(turn);
  event.payload =
      event::TurnCreated{.turn = std::move(turn), .message_index = {}, .is_message = true};
  return event;
}

SessionEvent turn_updated_event(Turn turn, TurnChange change,
                                std::optional<WallTime> old_timestamp) {
  SessionEvent event = event_about(turn);
  event.payload =
      event::TurnUpdated{.turn = std::move(turn), .change = change, .old_timestamp = old_timestamp};
  return event;
}

SessionEvent turn_detected_event(Turn turn) {
  SessionEvent event = event_about(turn);
  event.payload = event::TurnDetected{.turn = std::move(turn)};
  return event;
}

}  // namespace oriel
