#pragma once
// Events about turns. Each has its own name on the feed and contains the whole turn.

#include "base/event/session_event.h"
#include "base/event/turn.h"

#include <cstdint>
#include <optional>

namespace oriel {

// For a hosted session. `message_index` is the index of the event with the turn's text, if there is
// one.
SessionEvent turn_created_event(Turn turn, std::optional<std::int64_t> message_index);

// For an observed agent: no other event has the text.
SessionEvent turn_created_event(Turn turn);

SessionEvent turn_updated_event(Turn turn, TurnChange change,
                                std::optional<WallTime> old_timestamp = {});
SessionEvent turn_detected_event(Turn turn);

}  // namespace oriel
