#pragma once
// Joins the short pieces of text that an agent wrote at once. Pure.

#include "base/event/agent_event.h"

#include <vector>

namespace oriel {

// Each stored event costs some 300 bytes beside its text. Pieces are joined up to this size.
constexpr std::size_t kMaxJoinedBytes = 16 << 10;

// The events of one read, with neighbouring pieces of one message, and of one thought, joined.
std::vector<AgentEvent> with_joined_deltas(std::vector<AgentEvent> events);

}  // namespace oriel
