#include "journal/sqlite/sqlite_retention.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::uint64_t kRowBytes = 32;  // approximate size of a row without its body

std::int64_t value_of(SqliteStatement& statement) {
  SqliteRows rows = statement.query();
  rows.expect();
  return rows.integer(0);
}

}  // namespace

SqliteRetention::SqliteRetention(SqliteDatabase& database, SqliteSessions& sessions,
                                 SqliteContents& contents, Retention limits)
    : sessions_(sessions),
      contents_(contents),
      limits_(limits),
      page_bytes_(database.integer("PRAGMA page_size")),
      page_count_(database, "PRAGMA page_count"),
      free_pages_(database, "PRAGMA freelist_count"),
      oldest_(database,
              "SELECT seq, time, body, content, text_size FROM events WHERE seq < ?1 ORDER BY seq"),
      delete_(database, "DELETE FROM events WHERE seq <= ?1") {}

SqliteRetention::Slice SqliteRetention::next_slice(WallTime now, Sequence head,
                                                   std::uint64_t max_bytes) {
  const std::uint64_t excess = excess_bytes();
  if (excess == 0 && limits_.max_age.count() == 0) return {};

  std::uint64_t bytes = 0;
  Slice slice;
  SqliteRows row = oldest_.query(head);
  while (row.next()) {
    if (bytes >= max_bytes) {
      slice.is_final = false;
      return slice;
    }
    // From the front only, so that the stored events have no holes: the first event that is young
    // enough stops it.
    if (!is_too_old(row.integer(1), now) && bytes >= excess) return slice;
    slice.last = static_cast<Sequence>(row.number(0));
    bytes += bytes_of(row);
  }
  return slice;
}

// Bytes that the removal of the row frees. The last row that refers to a content frees that, too.
std::uint64_t SqliteRetention::bytes_of(const SqliteRows& row) {
  const std::uint64_t bytes = row.text(2).size() + kRowBytes;
  const std::int64_t content = row.integer(3);
  const auto sequence = static_cast<Sequence>(row.number(0));
  if (content == 0 || contents_.is_used_after(content, sequence)) return bytes;
  return bytes + static_cast<std::uint64_t>(std::max(row.integer(4), std::int64_t{0}));
}

SqliteRetention::Slice SqliteRetention::next_aged(WallTime now, Sequence head,
                                                  std::uint64_t max_events) {
  Slice slice;
  SqliteRows row = oldest_.query(head);
  for (std::uint64_t events = 0; events < max_events && row.next(); ++events) {
    if (!is_too_old(row.integer(1), now)) break;
    slice.last = static_cast<Sequence>(row.number(0));
  }
  return slice;
}

bool SqliteRetention::is_too_old(std::int64_t time, WallTime now) const {
  return limits_.max_age.count() > 0 && time < unix_milliseconds(now - limits_.max_age);
}

void SqliteRetention::remove(const Slice& slice) {
  sessions_.remove_until(slice.last);
  contents_.remove_until(slice.last);
  delete_.run(slice.last);
  sessions_.evict_unused();
}

// Free pages do not count: SQLite reuses them.
std::uint64_t SqliteRetention::excess_bytes() {
  if (limits_.max_bytes == 0) return 0;
  const std::int64_t used = (value_of(page_count_) - value_of(free_pages_)) * page_bytes_;
  const auto bytes = static_cast<std::uint64_t>(used);
  return bytes > limits_.max_bytes ? bytes - limits_.max_bytes : 0;
}

}  // namespace oriel
