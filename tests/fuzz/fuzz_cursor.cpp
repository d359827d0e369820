// Any bytes parse to a cursor or to an error that quotes them; every cursor survives a round trip.

#include "base/cursor.h"
#include "base/id.h"
#include "check.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cursor = parse_cursor(text);
  if (!cursor) {
    ORIEL_CHECK(cursor.error().kind == ErrorKind::kInvalidCursor && !cursor.error().hint.empty());
    return 0;
  }
  ORIEL_CHECK(cursor->sequence <= kMaxSequence);
  ORIEL_CHECK(cursor->epoch.empty() || is_random_id(cursor->epoch));
  const auto again = parse_cursor(format_cursor(*cursor));
  ORIEL_CHECK(again && *again == *cursor);
  return 0;
}
