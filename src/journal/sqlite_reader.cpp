#include "journal/sqlite_reader.h"

#include "journal/page_builder.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace oriel {
namespace {

constexpr int kMaxRows = 2048;  // scanned for one page

// All of a record but its body, which can be long and is read only if the record matches.
std::string rows_where(const std::string& condition) {
  return "SELECT seq, idx, time, type, coalesce(name, ''), project, kind "
         "FROM events LEFT JOIN sessions ON sessions.id = events.session WHERE " +
         condition;
}

void assign(Record& record, const SqliteRows& row) {
  record.sequence = static_cast<Sequence>(row.integer(0));
  record.index = static_cast<std::uint64_t>(row.integer(1));
  record.time = WallTime(std::chrono::milliseconds(row.integer(2)));
  record.type = row.text(3);
  record.session_id = row.text(4);
  record.project_id = row.text(5);
  record.kind = row.text(6);
}

}  // namespace

// Adds rows that match to a page.
class SqliteReader::Collector {
 public:
  Collector(const EventFilter& filter, PageBuilder& page, SqliteStatement& body)
      : filter_(filter), page_(page), body_(body) {}

  // Returns false if the row's record matches but does not fit.
  bool offer(const SqliteRows& row) {
    assign(candidate_, row);
    if (!filter_.matches(candidate_)) return true;
    if (page_.is_full()) return false;
    SqliteRows body = body_.query(candidate_.sequence);
    body.expect();
    candidate_.body = body.text(0);
    return page_.add(std::make_shared<const Record>(candidate_));
  }

 private:
  const EventFilter& filter_;
  PageBuilder& page_;
  SqliteStatement& body_;
  Record candidate_;  // reused for each row, for the capacity of its strings
};

SqliteReader::SqliteReader(const std::filesystem::path& file)
    : database_(file, SqliteDatabase::Access::kReadOnly),
      snapshot_(database_,
                "SELECT coalesce((SELECT min(seq) FROM events), 0), "
                "coalesce((SELECT max(seq) FROM events), 0), "
                "(SELECT value FROM meta WHERE key = 'indexed')"),
      find_session_(database_, "SELECT id, removed FROM sessions WHERE name = ?1"),
      sequence_at_(database_, "SELECT seq FROM session_index WHERE session = ?1 AND idx = ?2"),
      last_indexed_(database_,
                    "SELECT coalesce(max(idx), -1) FROM session_index WHERE session = ?1"),
      last_unindexed_(database_,
                      "SELECT coalesce(max(idx), -1) FROM events WHERE seq > ?1 AND session = ?2"),
      rows_between_(database_, rows_where("seq > ?1 AND seq <= ?2 ORDER BY seq")),
      row_at_(database_, rows_where("seq = ?1")),
      unindexed_rows_(database_,
                      rows_where("seq > ?1 AND session = ?2 AND idx >= ?3 ORDER BY seq")),
      body_(database_, "SELECT body FROM events WHERE seq = ?1"),
      documents_(database_, "SELECT key, value FROM documents WHERE key >= ?1 ORDER BY key") {}

Page SqliteReader::read(const ReadQuery& query) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Snapshot now = snapshot();
  const Sequence until = std::min(query.until, now.head);
  Page page{.records = {}, .scanned_until = query.after, .missed = 0};
  if (query.after >= until) return page;

  const std::vector<Session> sessions = find_sessions(query.filter.sessions);
  PageBuilder records(query.max_records, query.max_bytes);
  Collector collector(query.filter, records, body_);
  if (!query.filter.sessions.empty() && query.after < now.indexed) {
    page.scanned_until = merge(sessions, query.after, std::min(until, now.indexed), collector);
  } else {
    page.scanned_until = scan(query.after, until, collector);
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
  return page;
}

// Collects the rows in (after, until]; returns the last sequence scanned.
Sequence SqliteReader::scan(Sequence after, Sequence until, Collector& collector) {
  SqliteRows row = rows_between_.query(after, until);
  for (int scanned = 0; row.next(); ++scanned) {
    if (scanned == kMaxRows || !collector.offer(row)) {
      return static_cast<Sequence>(row.integer(0)) - 1;
    }
  }
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
  for (int scanned = 0; !next.empty() && next.top().sequence <= until; ++scanned) {
    IndexEntry entry = next.top();
    next.pop();
    SqliteRows row = row_at_.query(entry.sequence);
    row.expect();
    if (scanned == kMaxRows || !collector.offer(row)) return entry.sequence - 1;
    entry.sequence = sequence_at(entry.session, ++entry.index);
    if (entry.sequence != kNoSequence) next.push(entry);
  }
  return until;
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
  Collector collector(filter, records, body_);
  const std::int64_t first = std::max(query.after_index + 1, session->removed);
  page.scanned_until = collect(*session, first, indexed, collector) - 1;
  page.records = records.take();
  return page;
}

// Collects a session's rows from `index` on; returns the first index not collected.
std::int64_t SqliteReader::collect(const Session& session, std::int64_t index, Sequence indexed,
                                   Collector& collector) {
  const std::int64_t end = index + kMaxRows;
  for (; index < end; ++index) {
    const Sequence sequence = sequence_at(session.id, index);
    if (sequence == kNoSequence) break;
    SqliteRows row = row_at_.query(sequence);
    row.expect();
    if (!collector.offer(row)) return index;
  }
  SqliteRows row = unindexed_rows_.query(indexed, session.id, index);
  while (index < end && row.next() && collector.offer(row))
    ++index;
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
  return {.oldest = static_cast<Sequence>(rows.integer(0)),
          .head = static_cast<Sequence>(rows.integer(1)),
          .indexed = static_cast<Sequence>(rows.integer(2))};
}

std::optional<SqliteReader::Session> SqliteReader::find_session(const std::string& name) {
  SqliteRows rows = find_session_.query(name);
  if (!rows.next()) return std::nullopt;
  return Session{.id = rows.integer(0), .removed = rows.integer(1)};
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

// kNoSequence if session_index has no such entry.
Sequence SqliteReader::sequence_at(std::int64_t session, std::int64_t index) {
  SqliteRows rows = sequence_at_.query(session, index);
  return rows.next() ? static_cast<Sequence>(rows.integer(0)) : kNoSequence;
}

std::optional<SqliteReader::IndexEntry> SqliteReader::first_after(const Session& session,
                                                                  Sequence after) {
  std::int64_t first = session.removed;
  std::int64_t end = 0;
  {
    SqliteRows rows = last_indexed_.query(session.id);
    rows.expect();
    end = rows.integer(0) + 1;
  }
  const std::int64_t unindexed = end;
  while (first < end) {
    const std::int64_t middle = first + (end - first) / 2;
    if (sequence_at(session.id, middle) > after) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  if (first >= unindexed) return std::nullopt;
  return IndexEntry{
      .sequence = sequence_at(session.id, first), .session = session.id, .index = first};
}

std::int64_t SqliteReader::last_index(const Session& session, Sequence indexed) {
  SqliteRows unindexed = last_unindexed_.query(indexed, session.id);
  unindexed.expect();
  SqliteRows in_index = last_indexed_.query(session.id);
  in_index.expect();
  return std::max({unindexed.integer(0), in_index.integer(0), session.removed - 1});
}

}  // namespace oriel
