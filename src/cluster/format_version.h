#pragma once

// The version of what nodes write into the log.

namespace oriel {

// The newest format that this version reads and writes. A node stops at an entry of a newer one.
constexpr unsigned kEntryFormat = 1;

}  // namespace oriel
