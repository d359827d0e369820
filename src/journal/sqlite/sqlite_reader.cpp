#include "journal/sqlite/sqlite_reader.h"

#include "journal/pages/page_builder.h"
#include "journal/pages/row_collector.h"
#include "journal/sqlite/event_row.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <sqlite3.h>

namespace oriel {
namespace {

constexpr int kMaxRows = 2048;  // scanned for one page

}  // namespace

SqliteReader::SqliteReader(const std::filesystem::path& file)
    : database_(file, SqliteDatabase::Access::kReadOnly),
      snapshot_(database_,
                "SELECT coalesce((SELECT min(seq) FROM events), 0), "
                "coalesce((SELECT max(seq) FROM events), 0), "
                "(SELECT value FROM meta WHERE key = 'indexed'), "
                "coalesce((SELECT value FROM meta WHERE key = 'known_holes'), 0)"),
      find_session_(database_, "SELECT id, removed FROM sessions WHERE name = ?1"),
      next_indexed_(database_,
                    "SELECT idx, seq FROM session_index WHERE session = ?1 AND idx >= ?2 "
                    "ORDER BY idx LIMIT 1"),
      end_before_(database_,
                  "SELECT coalesce(max(idx) + 1, 0) FROM session_index "
                  "WHERE session = ?1 AND idx < ?2"),
      end_of_indexed_(database_,
                      "SELECT coalesce(max(idx) + 1, 0) FROM session_index WHERE session = ?1"),
      end_of_unindexed_(
          database_,
          "SELECT coalesce(max(idx) + 1, 0) FROM events WHERE seq > ?1 AND session = ?2"),
      rows_between_(database_, events_where("seq > ?1 AND seq <= ?2 ORDER BY seq")),
      row_at_(database_, events_where("seq = ?1")),
      unindexed_rows_(database_,
                      events_where("seq > ?1 AND session = ?2 AND idx >= ?3 ORDER BY seq")),
      probe_(database_, "SELECT 1 FROM events WHERE seq = ?1"),
      bodies_(database_),
      documents_(database_, "SELECT key, value, crc FROM documents WHERE key >= ?1 ORDER BY key") {}

Page SqliteReader::read(const ReadQuery& query) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Snapshot now = snapshot();
  const Sequence until = std::min(query.until, now.head);
  if (query.after >= until) return {.records = {}, .scanned_until = query.after, .missed = 0};

  const std::vector<Session> sessions = find_sessions(query.filter.sessions);
  const auto scan_all = [&](RowCollector& collector) {
    return scan(query.after, until, now.oldest, collector);
  };
  const auto use_index = [&](RowCollector& collector) {
    return merge(sessions, query.after, std::min(until, now.indexed), now.known_holes, collector);
  };
  Page page;
  if (query.filter.sessions.empty() || query.after >= now.indexed) {
    page = collect_page(query, now, scan_all);
  } else {
    try {
      page = collect_page(query, now, use_index);
    } catch (const SqliteError& failure) {
      if (!failure.is_damage()) throw;
      page = collect_page(query, now, scan_all);
      page.has_damaged_index = true;
    }
  }

  // Retention removes from the front: everything before the oldest is missing.
  std::uint64_t removed = 0;
  const Sequence removed_until = std::min(page.scanned_until, now.oldest - 1);
  if (removed_until > query.after) removed = removed_until - query.after;
  if (!query.filter.sessions.empty()) {
    std::uint64_t removed_by_sessions = 0;
    for (const Session& session : sessions)
      removed_by_sessions += static_cast<std::uint64_t>(session.removed);
    removed = std::min(removed, removed_by_sessions);
  }
  page.missed += removed;
  return page;
}

// `walk` fills a collector and returns the last sequence done.
template <class Walk>
Page SqliteReader::collect_page(const ReadQuery& query, const Snapshot& now, Walk walk) {
  PageBuilder records(query.max_records, query.max_bytes);
  RowCollector collector(query.filter, records, bodies_, now.known_holes);
  Page page;
  page.scanned_until = walk(collector);
  page.records = records.take();
  page.missed = collector.missed();
  page.damaged = collector.first_damaged();
  return page;
}

// Collects the rows in (after, until]; returns the last sequence scanned. From `oldest` on there is
// a row for every sequence, unless the file is damaged.
Sequence SqliteReader::scan(Sequence after, Sequence until, Sequence oldest,
                            RowCollector& collector) {
  Sequence next = std::max(after + 1, oldest);
  int scanned = 0;
  while (next <= until) {
    if (scanned > kMaxRows) return next - 1;
    const Run run = scan_run(next, until, scanned, collector);
    if (run.is_full) return run.end - 1;
    if (run.end > until) break;
    const Sequence readable = find_readable(run.end + 1, std::min(run.following, until + 1));
    if (!collector.miss(run.end, readable - run.end)) return run.end - 1;
    ++scanned;
    next = readable;
  }
  return until;
}

// Collects the rows from `first` on until one is missing or cannot be read.
SqliteReader::Run SqliteReader::scan_run(Sequence first, Sequence until, int& scanned,
                                         RowCollector& collector) {
  Run run{.end = first, .following = until + 1};
  try {
    SqliteRows row = rows_between_.query(first - 1, until);
    while (row.next()) {
      const Sequence sequence = sequence_of(row);
      if (sequence != run.end) {
        if (sequence > run.end) run.following = sequence;
        return run;
      }
      run.is_full = scanned++ >= kMaxRows || !collector.offer(row);
      if (run.is_full) return run;
      ++run.end;
    }
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
  }
  return run;
}

// The first row from `first` on that can be read, or `end` if none before it can. Damage of a page
// makes a range of rows unreadable. Other readable rows before the result can be overlooked.
Sequence SqliteReader::find_readable(Sequence first, Sequence end) {
  Sequence unreadable = first - 1;
  Sequence readable = end;
  for (Sequence step = 1; readable == end && unreadable + 1 < end; step *= 2) {
    const Sequence probe = std::min(unreadable + step, end - 1);
    (is_readable(probe) ? readable : unreadable) = probe;
  }
  while (readable - unreadable > 1) {
    const Sequence middle = unreadable + (readable - unreadable) / 2;
    (is_readable(middle) ? readable : unreadable) = middle;
  }
  return readable;
}

bool SqliteReader::is_readable(Sequence sequence) {
  try {
    return probe_.query(sequence).next();
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    return false;
  }
}

// The same for the indexed rows of some sessions. Within a session sequence and index rise together
// and indexes have no holes, so each step is one lookup in the index.
Sequence SqliteReader::merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                             Sequence known_holes, RowCollector& collector) {
  const auto damaged = [&] {
    return SqliteError(database_.file(), SQLITE_CORRUPT, "damaged: session_index is wrong");
  };
  std::priority_queue<IndexEntry, std::vector<IndexEntry>, std::greater<>> next;
  for (const Session& session : sessions) {
    if (const auto entry = first_after(session, after)) next.push(*entry);
  }
  Sequence last = after;
  for (int scanned = 0; !next.empty() && next.top().sequence <= until; ++scanned) {
    const IndexEntry entry = next.top();
    next.pop();
    const bool has_hole = entry.missing > 0 && entry.sequence > known_holes;
    // Without the order a reader would not come to an end.
    if (entry.sequence <= last || has_hole) throw damaged();
    last = entry.sequence;
    if (scanned == kMaxRows) return entry.sequence - 1;
    const Offer offer = offer_entry(entry, collector);
    if (offer == Offer::kOfAnother) throw damaged();
    if (offer == Offer::kPageIsFull) return entry.sequence - 1;
    if (const auto following = next_indexed(entry.session, entry.index + 1)) next.push(*following);
  }
  return until;
}

// Offers the row of an entry, after what is missing before it.
SqliteReader::Offer SqliteReader::offer_entry(const IndexEntry& entry, RowCollector& collector) {
  const auto fits = [](bool is_taken) { return is_taken ? Offer::kDone : Offer::kPageIsFull; };
  const auto missing = static_cast<std::uint64_t>(entry.missing);
  if (missing > 0 && !collector.miss(entry.sequence, missing)) return Offer::kPageIsFull;
  try {
    SqliteRows row = row_at_.query(entry.sequence);
    if (!row.next()) return fits(collector.miss(entry.sequence, 1));
    // A damaged index must not show the events of another session.
    if (row.number(1) != entry.index || session_of(row) != entry.session) return Offer::kOfAnother;
    return fits(collector.offer(row));
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    return fits(collector.damage(entry.sequence));
  }
}

SessionPage SqliteReader::read_session(const SessionQuery& query) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Snapshot now = snapshot();
  const std::optional<Session> session = find_session(query.session_id);
  if (!session) return {};

  const std::int64_t last = last_index(*session, now.indexed);
  SessionPage page{
      .records = {}, .oldest_index = session->removed, .last_index = last, .scanned_until = last};
  if (query.after_index >= page.last_index) return page;
  const EventFilter filter{.types = query.types, .projects = {}, .sessions = {}};
  PageBuilder records(query.max_records, query.max_bytes);
  RowCollector collector(filter, records, bodies_, now.known_holes);
  const std::int64_t first = std::max(query.after_index + 1, session->removed);
  page.scanned_until = collect(*session, first, now.indexed, collector) - 1;
  page.records = records.take();
  page.damaged = collector.first_damaged();
  return page;
}

// Collects a session's rows from `index` on; returns the first index not collected.
std::int64_t SqliteReader::collect(const Session& session, std::int64_t index, Sequence indexed,
                                   RowCollector& collector) {
  const std::int64_t end = index + kMaxRows;
  while (index < end) {
    const auto entry = next_indexed(session.id, index);
    if (!entry) break;
    const Offer offer = offer_entry(*entry, collector);
    if (offer == Offer::kPageIsFull) return index;
    if (offer == Offer::kOfAnother && !collector.damage(entry->sequence)) return index;
    index = entry->index + 1;
  }
  SqliteRows row = unindexed_rows_.query(indexed, session.id, index);
  while (index < end && row.next()) {
    const std::int64_t found = row.number(1);
    const auto missing = static_cast<std::uint64_t>(std::max<std::int64_t>(found - index, 0));
    if (missing > 0 && !collector.miss(static_cast<Sequence>(row.number(0)), missing)) return index;
    if (!collector.offer(row)) return std::max(found, index);
    index = std::max(found, index) + 1;
  }
  return index;
}

std::string SqliteReader::visit_documents(const DocumentQuery& query,
                                          const DocumentVisitor& visit) {
  std::string damaged;
  const std::string_view first = std::max(query.prefix, query.after);
  SqliteRows row = documents_.query(first);
  std::size_t visited = 0;
  while (visited < query.max_documents && row.next() && row.text(0).starts_with(query.prefix)) {
    const std::string_view key = row.text(0);
    const std::string_view value = row.text(1);
    if (key == query.after) continue;
    ++visited;
    // Versions before 3 stored no checksum.
    if (row.is_null(2) || row.integer(2) == std::int64_t{checksum_of_document(key, value)}) {
      visit(key, value);
    } else if (damaged.empty()) {
      damaged = key;
    }
  }
  return damaged;
}

SqliteReader::Snapshot SqliteReader::snapshot() {
  SqliteRows rows = snapshot_.query();
  rows.expect();
  return {.oldest = static_cast<Sequence>(rows.number(0)),
          .head = static_cast<Sequence>(rows.number(1)),
          .indexed = static_cast<Sequence>(rows.number(2)),
          .known_holes = static_cast<Sequence>(rows.number(3))};
}

std::optional<SqliteReader::Session> SqliteReader::find_session(const std::string& name) {
  SqliteRows rows = find_session_.query(name);
  if (!rows.next()) return std::nullopt;
  return Session{.id = rows.number(0), .removed = rows.number(1)};
}

// Omits unknown and repeated names.
std::vector<SqliteReader::Session> SqliteReader::find_sessions(
    const std::vector<std::string>& names) {
  std::vector<Session> sessions;
  for (const std::string& name : names) {
    const std::optional<Session> session = find_session(name);
    const auto is_same = [&](const Session& other) { return other.id == session->id; };
    if (session && std::none_of(sessions.begin(), sessions.end(), is_same)) {
      sessions.push_back(*session);
    }
  }
  return sessions;
}

// The entry at `index`, or the next one if the index has none there.
std::optional<SqliteReader::IndexEntry> SqliteReader::next_indexed(std::int64_t session,
                                                                   std::int64_t index) {
  SqliteRows rows = next_indexed_.query(session, index);
  if (!rows.next()) return std::nullopt;
  const std::int64_t found = rows.number(0);
  return IndexEntry{.sequence = static_cast<Sequence>(rows.number(1)),
                    .session = session,
                    .index = found,
                    .missing = found - index};
}

std::optional<SqliteReader::IndexEntry> SqliteReader::first_after(const Session& session,
                                                                  Sequence after) {
  std::int64_t first = session.removed;
  std::int64_t end = 0;
  {
    SqliteRows rows = end_of_indexed_.query(session.id);
    rows.expect();
    end = rows.number(0);
  }
  while (first < end) {
    const std::int64_t middle = first + (end - first) / 2;
    const auto entry = next_indexed(session.id, middle);
    if (entry && entry->sequence > after) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  auto entry = next_indexed(session.id, first);
  if (!entry) return std::nullopt;
  SqliteRows before = end_before_.query(session.id, entry->index);
  before.expect();
  entry->missing = entry->index - std::max(before.number(0), session.removed);
  return entry;
}

std::int64_t SqliteReader::last_index(const Session& session, Sequence indexed) {
  SqliteRows unindexed = end_of_unindexed_.query(indexed, session.id);
  unindexed.expect();
  SqliteRows in_index = end_of_indexed_.query(session.id);
  in_index.expect();
  return std::max({unindexed.number(0), in_index.number(0), session.removed}) - 1;
}

}  // namespace oriel
