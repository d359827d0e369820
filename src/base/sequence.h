#pragma once
// A record's place in the journal's one order. Given by the journal and by nobody else; the first
// is 1.

#include <cstdint>
#include <limits>

namespace oriel {

using Sequence = std::uint64_t;

constexpr Sequence kNoSequence = 0;  // before the first record
constexpr Sequence kMaxSequence = std::numeric_limits<std::int64_t>::max();  // what the stores hold

}  // namespace oriel
