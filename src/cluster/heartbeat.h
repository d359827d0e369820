#pragma once
// What nodes tell each other every second: who they are, and how far they have applied which log.
// Pure.

#include "cluster/format_version.h"
#include "cluster/peers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

struct Heartbeat {
  Node node;
  unsigned entry_format = kEntryFormat;
  std::string log = {};          // its name; empty: none yet
  std::uint64_t generation = 0;  // of the log
  // The last place that all nodes report the chain of, whatever they apply at once.
  std::uint64_t mark_place = 0;
  std::uint64_t mark_chain = 0;
  std::uint64_t refilled = 0;  // entries of this life that its live feed missed
  bool is_serving = false;     // it has caught up and accepts clients
  bool is_leaving = false;     // the last heartbeat of this life

  bool operator==(const Heartbeat&) const = default;
};

std::string to_json(const Heartbeat& heartbeat);

// None if it is not a heartbeat.
std::optional<Heartbeat> parse_heartbeat(std::string_view text);

// A name that can be a node: 1 to 64 of A-Z a-z 0-9 _ -, because it is a token of NATS subjects.
bool is_node_name(std::string_view text);

}  // namespace oriel
