#pragma once
// What the reader of the log has found of the entries that this node has written.

#include <cstdint>
#include <optional>
#include <vector>

namespace oriel {

struct OwnEntries {
  unsigned life = 0;                              // of the author: how often there was another one
  std::vector<std::uint64_t> stored = {};         // numbers, in their turn
  std::optional<std::uint32_t> passed_over = {};  // the attempt of one before its turn

  bool is_empty() const { return stored.empty() && !passed_over; }
};

}  // namespace oriel
