#pragma once
// A cursor names a place in one life of the journal: "after this sequence, in this epoch". It is
// the `id:` of every SSE frame and what a client sends back to go on. An epoch ends when the
// journal's numbers start anew.

#include "base/error.h"
#include "base/sequence.h"

#include <string>
#include <string_view>

namespace oriel {

struct Cursor {
  Sequence sequence = kNoSequence;
  std::string epoch;  // empty only in the cursor "0": before everything that is held

  bool operator==(const Cursor&) const = default;
};

// "1042-k7q2mzx4"; "0" for a cursor without epoch.
std::string format_cursor(const Cursor& cursor);

// Total: any bytes a client sends give a cursor or an error that names them.
Result<Cursor> parse_cursor(std::string_view text);

}  // namespace oriel
