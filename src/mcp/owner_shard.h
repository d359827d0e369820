#pragma once
// The owner shard of a session or task follows from its id, so no lookup table is shared.

#include "base/id.h"

#include <functional>
#include <string>
#include <string_view>

namespace oriel::mcp {

inline std::size_t shard_index(std::string_view id, std::size_t shards) {
  return std::hash<std::string_view>()(id) % shards;
}

// An unguessable id that shard_index() maps to this shard.
inline std::string id_on_shard(std::size_t index, std::size_t shards) {
  for (;;) {
    std::string id = random_id() + random_id();
    if (shard_index(id, shards) == index) return id;
  }
}

}  // namespace oriel::mcp
