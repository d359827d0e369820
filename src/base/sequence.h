#pragma once
// The position of a record in the journal, which alone assigns it. The first is 1.

#include <cstdint>
#include <limits>

namespace oriel {

using Sequence = std::uint64_t;

constexpr Sequence kNoSequence = 0;  // before the first record
constexpr Sequence kMaxSequence =
    std::numeric_limits<std::int64_t>::max();  // the maximum of SQLite integers

}  // namespace oriel
