#include "base/cursor.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <charconv>

namespace oriel {
namespace {

Error invalid_cursor(std::string_view text) {
  return {
      .kind = ErrorKind::kInvalidCursor,
      .message = "invalid cursor " + quote(text),
      .hint = "send the id of the last event you received, unchanged, or 0 for all stored events"};
}

}  // namespace

std::string format_cursor(const Cursor& cursor) {
  if (cursor.epoch.empty()) return "0";
  return std::to_string(cursor.sequence) + "-" + cursor.epoch;
}

Result<Cursor> parse_cursor(std::string_view text) {
  if (text == "0") return Cursor{};
  Cursor cursor;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, cursor.sequence);
  if (error != std::errc{} || after == end || *after != '-') return invalid_cursor(text);
  cursor.epoch.assign(after + 1, end);
  if (cursor.sequence > kMaxSequence || !is_random_id(cursor.epoch)) return invalid_cursor(text);
  return cursor;
}

}  // namespace oriel
