#include "journal/sqlite_reader.h"

#include "journal/page_builder.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace oriel {
namespace {

constexpr int kMaxRows = 2048;  // looked at for one answer

// Selects all of a record but its body, which may be long and is read only if the rest matches.
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

// Turns rows into records, as far as they match and fit into the page.
class SqliteReader::Answer {
 public:
  Answer(const EventFilter& filter, PageBuilder& page, SqliteStatement& body)
      : filter_(filter), page_(page), body_(body) {}

  // False when the row's record matches but does not fit.
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
  Record candidate_;  // kept between rows for the memory of its strings
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
  Page page{.records = {}, .reached = query.after, .missed = 0};
  if (query.after >= until) return page;

  const std::vector<Session> sessions = find_sessions(query.filter.sessions);
  PageBuilder records(query.max_records, query.max_bytes);
  Answer answer(query.filter, records, body_);
  if (!query.filter.sessions.empty() && query.after < now.indexed) {
    page.reached = merge(sessions, query.after, std::min(until, now.indexed), answer);
  } else {
    page.reached = scan(query.after, until, answer);
  }
  page.records = records.take();

  // Retention removes from the front, so what is missing is what lies before the oldest.
  const Sequence lost_until = std::min(page.reached, now.oldest - 1);
  if (lost_until > query.after) page.missed = lost_until - query.after;
  if (!query.filter.sessions.empty()) {
    std::uint64_t lost_by_sessions = 0;
    for (const Session& session : sessions) {
      lost_by_sessions += static_cast<std::uint64_t>(session.removed);
    }
    page.missed = std::min(page.missed, lost_by_sessions);
  }
  return page;
}

// Offers the rows in (after, until], and returns how far it came.
Sequence SqliteReader::scan(Sequence after, Sequence until, Answer& answer) {
  SqliteRows row = rows_between_.query(after, until);
  for (int looked_at = 0; row.next(); ++looked_at) {
    if (looked_at == kMaxRows || !answer.offer(row)) {
      return static_cast<Sequence>(row.integer(0)) - 1;
    }
  }
  return until;
}

// The same for the rows of some sessions, as far as they are indexed. Within a session sequence and
// index rise together and indexes have no holes, so that each step is one look into the index.
Sequence SqliteReader::merge(const std::vector<Session>& sessions, Sequence after, Sequence until,
                             Answer& answer) {
  std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
  for (const Session& session : sessions) {
    if (const auto place = first_after(session, after)) next.push(*place);
  }
  for (int looked_at = 0; !next.empty() && next.top().sequence <= until; ++looked_at) {
    Place place = next.top();
    next.pop();
    SqliteRows row = row_at_.query(place.sequence);
    row.expect();
    if (looked_at == kMaxRows || !answer.offer(row)) return place.sequence - 1;
    place.sequence = sequence_at(place.session, ++place.index);
    if (place.sequence != kNoSequence) next.push(place);
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
      .records = {}, .oldest_index = session->removed, .last_index = last, .reached = last};
  if (query.after_index >= page.last_index) return page;
  const EventFilter filter{.types = query.types, .projects = {}, .sessions = {}};
  PageBuilder records(query.max_records, query.max_bytes);
  Answer answer(filter, records, body_);
  const std::int64_t first = std::max(query.after_index + 1, session->removed);
  page.reached = collect(*session, first, indexed, answer) - 1;
  page.records = records.take();
  return page;
}

// Offers a session's rows from `index` on, and returns the index of the first one not taken.
std::int64_t SqliteReader::collect(const Session& session, std::int64_t index, Sequence indexed,
                                   Answer& answer) {
  const std::int64_t end = index + kMaxRows;
  for (; index < end; ++index) {
    const Sequence sequence = sequence_at(session.id, index);
    if (sequence == kNoSequence) break;
    SqliteRows row = row_at_.query(sequence);
    row.expect();
    if (!answer.offer(row)) return index;
  }
  SqliteRows row = unindexed_rows_.query(indexed, session.id, index);
  while (index < end && row.next() && answer.offer(row))
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

// Those that are known, each once.
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

// None if the index has no such place.
Sequence SqliteReader::sequence_at(std::int64_t session, std::int64_t index) {
  SqliteRows rows = sequence_at_.query(session, index);
  return rows.next() ? static_cast<Sequence>(rows.integer(0)) : kNoSequence;
}

std::optional<SqliteReader::Place> SqliteReader::first_after(const Session& session,
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
  return Place{.sequence = sequence_at(session.id, first), .session = session.id, .index = first};
}

std::int64_t SqliteReader::last_index(const Session& session, Sequence indexed) {
  SqliteRows unindexed = last_unindexed_.query(indexed, session.id);
  unindexed.expect();
  SqliteRows in_index = last_indexed_.query(session.id);
  in_index.expect();
  return std::max({unindexed.integer(0), in_index.integer(0), session.removed - 1});
}

}  // namespace oriel
