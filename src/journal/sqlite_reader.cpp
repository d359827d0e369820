#include "journal/sqlite_reader.h"

#include "journal/crc32c.h"
#include "journal/page_builder.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <sqlite3.h>

namespace oriel {
namespace {

constexpr int kMaxRows = 2048;  // scanned for one page

// All of a record but its body, which can be long and is read only if the record matches.
std::string rows_where(const std::string& condition) {
  return "SELECT seq, idx, time, type, coalesce(name, ''), project, kind, session "
         "FROM events LEFT JOIN sessions ON sessions.id = events.session WHERE " +
         condition;
}

void assign(Record& record, const SqliteRows& row) {
  record.sequence = static_cast<Sequence>(row.number(0));
  record.index = static_cast<std::uint64_t>(row.number(1));
  record.time = WallTime(std::chrono::milliseconds(row.integer(2)));
  record.type = row.text(3);
  record.session_id = row.text(4);
  record.project_id = row.text(5);
  record.event_type = parse_event_type(row.text(6));
}

}  // namespace

// Adds matching rows to a page and counts missing ones.
class SqliteReader::Collector {
 public:
  Collector(const EventFilter& filter, PageBuilder& page, SqliteReader& reader)
      : filter_(filter), page_(page), reader_(reader) {}

  // Returns false if the row's record matches but does not fit.
  bool offer(const SqliteRows& row) {
    assign(candidate_, row);
    if (!filter_.matches(candidate_)) return true;
    if (page_.is_full()) return false;
    if (!reader_.read_body(candidate_)) return miss(candidate_.sequence, 1);
    return page_.add(std::make_shared<const Record>(candidate_));
  }

  // Counts missing records, from the sequence `first` on. Returns false, and counts nothing, if the
  // page has records: the page ends here, because a gap is reported before the records of its page.
  bool miss(Sequence first, std::uint64_t count) {
    if (!page_.is_empty()) return false;
    if (first_missed_ == kNoSequence) first_missed_ = first;
    missed_ += count;
    return true;
  }

  std::uint64_t missed() const { return missed_; }

  Sequence first_missed() const { return first_missed_; }

 private:
  const EventFilter& filter_;
  PageBuilder& page_;
  SqliteReader& reader_;
  Record candidate_;  // reused for each row, for the capacity of its strings
  std::uint64_t missed_ = 0;
  Sequence first_missed_ = kNoSequence;
};

SqliteReader::SqliteReader(const std::filesystem::path& file)
    : database_(file, SqliteDatabase::Access::kReadOnly),
      snapshot_(database_,
                "SELECT coalesce((SELECT min(seq) FROM events), 0), "
                "coalesce((SELECT max(seq) FROM events), 0), "
                "(SELECT value FROM meta WHERE key = 'indexed')"),
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
      rows_between_(database_, rows_where("seq > ?1 AND seq <= ?2 ORDER BY seq")),
      row_at_(database_, rows_where("seq = ?1")),
      unindexed_rows_(database_,
                      rows_where("seq > ?1 AND session = ?2 AND idx >= ?3 ORDER BY seq")),
      body_(database_,
            "SELECT body, crc, content, text_offset, text_size FROM events WHERE seq = ?1"),
      contents_(database_),
      documents_(database_, "SELECT key, value FROM documents WHERE key >= ?1 ORDER BY key") {}

Page SqliteReader::read(const ReadQuery& query) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Snapshot now = snapshot();
  const Sequence until = std::min(query.until, now.head);
  Page page{.records = {}, .scanned_until = query.after, .missed = 0};
  if (query.after >= until) return page;

  const std::vector<Session> sessions = find_sessions(query.filter.sessions);
  PageBuilder records(query.max_records, query.max_bytes);
  Collector collector(query.filter, records, *this);
  if (!query.filter.sessions.empty() && query.after < now.indexed) {
    page.scanned_until = merge(sessions, query.after, std::min(until, now.indexed), collector);
  } else {
    page.scanned_until = scan(query.after, until, now.oldest, collector);
  }
  page.records = records.take();

  // Retention removes from the front: everything before the oldest is missing.
  const Sequence removed_until = std::min(page.scanned_until, now.oldest - 1);
  if (removed_until > query.after) page.missed = removed_until - query.after;
  if (!query.filter.sessions.empty()) {
    std::uint64_t removed_by_sessions = 0;
    for (const Session& session : sessions) {
      removed_by_sessions += static_cast<std::uint64_t>(session.removed);
    }
    page.missed = std::min(page.missed, removed_by_sessions);
  }
  page.missed += collector.missed();
  page.damaged = collector.first_missed();
  return page;
}

// Collects the rows in (after, until]; returns the last sequence scanned. From `oldest` on there is
// a row for every sequence.
Sequence SqliteReader::scan(Sequence after, Sequence until, Sequence oldest, Collector& collector) {
  Sequence next = std::max(after + 1, oldest);
  SqliteRows row = rows_between_.query(after, until);
  for (int scanned = 0; row.next(); ++scanned) {
    const auto sequence = static_cast<Sequence>(row.number(0));
    if (sequence > next && !collector.miss(next, sequence - next)) return next - 1;
    if (scanned == kMaxRows || !collector.offer(row)) return sequence - 1;
    next = sequence + 1;
  }
  if (next <= until && !collector.miss(next, until + 1 - next)) return next - 1;
  return until;
}

// The same for the indexed rows of some sessions. Within a session sequence and index rise together
// and indexes have no holes, so each step is one lookup in the index.
Sequence SqliteReader::merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                             Collector& collector) {
  std::priority_queue<IndexEntry, std::vector<IndexEntry>, std::greater<>> next;
  for (const Session& session : sessions) {
    if (const auto entry = first_after(session, after)) next.push(*entry);
  }
  Sequence last = after;
  for (int scanned = 0; !next.empty() && next.top().sequence <= until; ++scanned) {
    const IndexEntry entry = next.top();
    next.pop();
    // Or a reader would go round for ever.
    if (entry.sequence <= last) {
      throw SqliteError(database_.file(), SQLITE_CORRUPT, "damaged: session_index is not in order");
    }
    last = entry.sequence;
    if (scanned == kMaxRows || !offer_entry(entry, collector)) return entry.sequence - 1;
    if (const auto following = next_indexed(entry.session, entry.index + 1)) next.push(*following);
  }
  return until;
}

// Returns false if the body is not what was stored.
bool SqliteReader::read_body(Record& record) {
  SqliteRows row = body_.query(record.sequence);
  row.expect();
  record.body = row.text(0);
  const ContentReference text{
      .content = row.integer(2), .offset = row.integer(3), .size = row.integer(4)};
  if (!contents_.restore(text, record.body)) return false;
  // Versions before 3 stored no checksum.
  return row.is_null(1) || row.integer(1) == std::int64_t{crc32c(record.body)};
}

// Offers the row of an entry; returns false if the page ends before it.
bool SqliteReader::offer_entry(const IndexEntry& entry, Collector& collector) {
  const auto missing = static_cast<std::uint64_t>(entry.missing);
  if (missing > 0 && !collector.miss(entry.sequence, missing)) return false;
  SqliteRows row = row_at_.query(entry.sequence);
  // A damaged index must not show the events of another session.
  const bool is_its = row.next() && row.number(1) == entry.index && row.number(7) == entry.session;
  return is_its ? collector.offer(row) : collector.miss(entry.sequence, 1);
}

SessionPage SqliteReader::read_session(const SessionQuery& query) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Sequence indexed = snapshot().indexed;
  const std::optional<Session> session = find_session(query.session_id);
  if (!session) return {};

  const std::int64_t last = last_index(*session, indexed);
  SessionPage page{
      .records = {}, .oldest_index = session->removed, .last_index = last, .scanned_until = last};
  if (query.after_index >= page.last_index) return page;
  const EventFilter filter{.types = query.types, .projects = {}, .sessions = {}};
  PageBuilder records(query.max_records, query.max_bytes);
  Collector collector(filter, records, *this);
  const std::int64_t first = std::max(query.after_index + 1, session->removed);
  page.scanned_until = collect(*session, first, indexed, collector) - 1;
  page.records = records.take();
  page.damaged = collector.first_missed();
  return page;
}

// Collects a session's rows from `index` on; returns the first index not collected.
std::int64_t SqliteReader::collect(const Session& session, std::int64_t index, Sequence indexed,
                                   Collector& collector) {
  const std::int64_t end = index + kMaxRows;
  while (index < end) {
    const auto entry = next_indexed(session.id, index);
    if (!entry) break;
    if (!offer_entry(*entry, collector)) return index;
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

void SqliteReader::visit_documents(std::string_view prefix, const DocumentVisitor& visit) {
  SqliteRows row = documents_.query(prefix);
  while (row.next() && row.text(0).starts_with(prefix))
    visit(row.text(0), row.text(1));
}

SqliteReader::Snapshot SqliteReader::snapshot() {
  SqliteRows rows = snapshot_.query();
  rows.expect();
  return {.oldest = static_cast<Sequence>(rows.number(0)),
          .head = static_cast<Sequence>(rows.number(1)),
          .indexed = static_cast<Sequence>(rows.number(2))};
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
