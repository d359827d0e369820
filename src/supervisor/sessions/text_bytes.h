#pragma once
// The amount of text in events. Long texts are masked and serialized off the shard. Pure.

#include "base/event/agent_event.h"
#include "base/event/session_event.h"
#include "base/event/turn.h"

#include <cstddef>
#include <vector>

namespace oriel {

// Texts of this size are long: masking or serializing them takes a millisecond or more.
constexpr std::size_t kLongWork = 256 << 10;

// Bytes of text, and of input in JSON. Short fields are left out.
std::size_t text_bytes(const SessionEvent& event);
std::size_t text_bytes(const Turn& turn);
std::size_t text_bytes(const std::vector<AgentEvent>& events);

}  // namespace oriel
