#pragma once
// How many connections the limit of open files allows.

#include <cstdint>

namespace oriel {

// Leaves descriptors for the journal and for the pipes of `max_sessions` agents, but at least half
// of all for connections.
std::uint64_t max_connections_within(std::uint64_t open_files, std::uint64_t max_sessions);

}  // namespace oriel
