#include "journal/sqlite_retention.h"

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
                                 Retention limits)
    : sessions_(sessions),
      limits_(limits),
      page_bytes_(database.integer("PRAGMA page_size")),
      page_count_(database, "PRAGMA page_count"),
      free_pages_(database, "PRAGMA freelist_count"),
      oldest_(database, "SELECT seq, time, body FROM events WHERE seq < ?1 ORDER BY seq"),
      delete_(database, "DELETE FROM events WHERE seq <= ?1") {}

SqliteRetention::Slice SqliteRetention::next_slice(WallTime now, Sequence head,
                                                   std::uint64_t max_bytes) {
  const std::uint64_t excess = excess_bytes();
  const bool has_age = limits_.max_age.count() > 0;
  if (excess == 0 && !has_age) return {};

  const std::int64_t oldest_time = (now - limits_.max_age).time_since_epoch().count();
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
    const bool is_old = has_age && row.integer(1) < oldest_time;
    if (!is_old && bytes >= excess) return slice;
    slice.last = static_cast<Sequence>(row.integer(0));
    bytes += row.text(2).size() + kRowBytes;
  }
  return slice;
}

void SqliteRetention::remove(const Slice& slice) {
  sessions_.remove_until(slice.last);
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
