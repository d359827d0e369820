#pragma once
// A position in the journal: a sequence and the epoch it belongs to. Sent as the SSE `id:`; clients
// return it to resume. An epoch ends when sequences restart.

#include "base/error.h"
#include "base/sequence.h"

#include <string>
#include <string_view>

namespace oriel {

struct Cursor {
  Sequence sequence = kNoSequence;
  std::string epoch;  // empty only in the cursor "0": before the oldest stored event

  bool operator==(const Cursor&) const = default;
};

// "1042-k7q2mzx4"; "0" for a cursor without epoch.
std::string format_cursor(const Cursor& cursor);

// Accepts any bytes. The error quotes them.
Result<Cursor> parse_cursor(std::string_view text);

}  // namespace oriel
