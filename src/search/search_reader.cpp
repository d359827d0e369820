#include "search/search_reader.h"

#include "search/search_writer.h"

#include <algorithm>
#include <limits>

namespace oriel {
namespace {

constexpr std::size_t kMaxTitleText = 4096;
constexpr std::size_t kMaxTitles = 10;           // among the results of one search
constexpr std::size_t kMaxMarkedSessions = 128;  // beyond it their entries are filtered one by one
constexpr int kLookAtClock = 64;                 // entries
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

std::string generation_of(SqliteDatabase& database) {
  SqliteStatement find(database, "SELECT value FROM meta WHERE key = 'generation'");
  SqliteRows row = find.query();
  row.expect();
  return std::string(row.text(0));
}

// Titles are few and change often, so that each reader has a table of its own in memory.
void prepare(SqliteDatabase& database) {
  database.execute(
      "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;"
      "CREATE VIRTUAL TABLE temp.titles USING fts5(text, marks, prefix='2 3', "
      "tokenize=\"unicode61 remove_diacritics 2\")");
}

std::string title_text(const SearchedSession& session) {
  std::string text = searchable(session.title, kMaxTitleText);
  if (!text.empty() && !session.project_id.empty()) text += '\n';
  return text + session.project_id;
}

bool wants_titles(const SearchQuery& query) {
  const bool is_kind = query.kinds.empty() ||
                       std::ranges::find(query.kinds, SearchKind::kTitle) != query.kinds.end();
  return is_kind && !query.cursor && !query.actor && !query.since && !query.until;
}

// Whether anything but titles is wanted.
bool wants_entries(const SearchQuery& query) {
  return query.kinds.empty() || std::ranges::any_of(query.kinds, [](SearchKind kind) {
           return kind != SearchKind::kTitle;
         });
}

bool is_in_time(const SearchQuery& query, std::int64_t time) {
  return (!query.since || time >= unix_milliseconds(*query.since)) &&
         (!query.until || time < unix_milliseconds(*query.until));
}

}  // namespace

SearchReader::SearchReader(const std::filesystem::path& file)
    : database_(file, SqliteDatabase::Access::kReadOnly),
      generation_(generation_of(database_)),
      find_session_(database_, "SELECT id FROM sessions WHERE name = ?1"),
      name_session_(database_, "SELECT name FROM sessions WHERE id = ?1"),
      first_since_(database_, "SELECT coalesce(min(first), 0) FROM hours WHERE hour >= ?1"),
      last_until_(database_, "SELECT coalesce(max(last), 0) FROM hours WHERE hour <= ?1"),
      matches_(database_,
               "SELECT e.id, e.session, e.time, e.seq, e.idx, e.kind, e.actor, e.task, e.turn, "
               "e.tool, e.call, snippet(words, 0, char(2), char(3), char(8230), 40) "
               "FROM words JOIN entries e ON e.id = words.rowid WHERE words MATCH "
               "?1 AND words.rowid < ?2 AND words.rowid > ?3 ORDER BY words.rowid DESC") {
  prepare(database_);
}

Result<SearchResults> SearchReader::search(const SearchQuery& query,
                                           std::chrono::steady_clock::time_point deadline) {
  if (query.cursor && query.cursor->generation != generation_) {
    return Error{.kind = ErrorKind::kInvalidCursor,
                 .message = "cursor: the search index was made again since",
                 .hint = "search again without a cursor"};
  }
  names_.clear();
  SearchResults results{.generation = generation_};
  if (wants_titles(query)) find_titles(query, results.hits);
  if (wants_entries(query)) find_entries(query, deadline, results);
  return results;
}

void SearchReader::find_titles(const SearchQuery& query, std::vector<SearchHit>& hits) {
  update_titles(*query.sessions);
  const std::string expression = match_expression(query.words, {});

  struct Found {
    std::int64_t rank;
    std::int64_t id;
    std::string session_id;
  };

  std::vector<Found> found;
  SqliteStatement find(database_, "SELECT rowid, marks FROM temp.titles WHERE titles MATCH ?1");
  SqliteRows row = find.query(expression);
  while (row.next()) {
    std::string session_id(row.text(1));
    const auto session = query.sessions->find(session_id);
    if (session == query.sessions->end()) continue;
    found.push_back({session->second.rank, row.integer(0), std::move(session_id)});
  }
  std::ranges::sort(found, {}, &Found::rank);
  found.resize(std::min({found.size(), kMaxTitles, query.limit}));
  SqliteStatement cut(
      database_,
      "SELECT snippet(titles, 0, char(2), char(3), char(8230), 64) FROM temp.titles WHERE "
      "titles MATCH ?1 AND rowid = ?2");
  for (const Found& title : found) {
    SearchHit hit;
    hit.entry.session_id = title.session_id;
    hit.entry.kind = SearchKind::kTitle;
    SqliteRows text = cut.query(expression, title.id);
    if (text.next()) hit.snippet = snippet_of(text.text(0));
    hits.push_back(std::move(hit));
  }
}

// Others' titles stay in the table, because the next search may see more sessions than this one.
void SearchReader::update_titles(const SearchedSessions& sessions) {
  SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  if (titles_.size() > 2 * sessions.size() + kMaxMarkedSessions) {
    database_.execute("DELETE FROM temp.titles");
    titles_.clear();
  }
  SqliteStatement remove(database_, "DELETE FROM temp.titles WHERE rowid = ?1");
  SqliteStatement add(database_, "INSERT INTO temp.titles(rowid, text, marks) VALUES (?1, ?2, ?3)");
  for (const auto& [id, session] : sessions) {
    std::string text = title_text(session);
    const auto known = titles_.find(id);
    if (known != titles_.end() && known->second.text == text) continue;
    if (known != titles_.end()) remove.run(known->second.id);
    add.run(next_title_, text, id);
    titles_[id] = {.id = next_title_++, .text = std::move(text)};
  }
  transaction.commit();
}

void SearchReader::find_entries(const SearchQuery& query,
                                std::chrono::steady_clock::time_point deadline,
                                SearchResults& results) {
  const SqliteTransaction transaction(database_, SqliteTransaction::Kind::kRead);
  const Bounds bounds = bounds_of(query);
  const std::string expression = match_expression(query.words, marks_of(query));
  SqliteRows row = matches_.query(expression, bounds.before, bounds.after);
  std::int64_t last = bounds.before;
  for (int looked = 0; row.next(); ++looked) {
    const bool is_full = results.hits.size() >= query.limit;
    const bool is_late =
        looked % kLookAtClock == kLookAtClock - 1 && std::chrono::steady_clock::now() > deadline;
    if (is_full || is_late) {
      results.next = SearchCursor{.generation = generation_, .before = last};
      return;
    }
    const std::int64_t id = row.integer(0);
    const std::string* const session = session_name(row.integer(1));
    const bool is_visible = session != nullptr && query.sessions->contains(*session);
    if (is_visible && is_in_time(query, row.integer(2))) {
      results.hits.push_back(read_hit(row, *session));
    }
    last = id;
  }
}

// Entries beyond them are not in time. Others within may not be, either.
SearchReader::Bounds SearchReader::bounds_of(const SearchQuery& query) {
  Bounds bounds{.after = 0, .before = query.cursor ? query.cursor->before : kNoEnd};
  if (query.since) {
    SqliteRows row = first_since_.query(hour_of(*query.since));
    row.expect();
    const std::int64_t first = row.integer(0);
    bounds.after = first > 0 ? first - 1 : kNoEnd;
  }
  if (query.until) {
    SqliteRows row = last_until_.query(hour_of(*query.until));
    row.expect();
    bounds.before = std::min(bounds.before, row.integer(0) + 1);
  }
  return bounds;
}

Marks SearchReader::marks_of(const SearchQuery& query) {
  Marks marks;
  if (!query.kinds.empty()) {
    marks.emplace_back();
    for (const SearchKind kind : query.kinds)
      marks.back().push_back(kind_mark(kind));
  }
  if (query.actor) marks.push_back({actor_mark(*query.actor)});
  if (query.sessions->size() > kMaxMarkedSessions) return marks;
  marks.push_back({session_mark(0)});  // of no session, in case that no other is indexed
  for (const auto& [id, session] : *query.sessions) {
    SqliteRows row = find_session_.query(id);
    if (row.next()) marks.back().push_back(session_mark(row.integer(0)));
  }
  return marks;
}

// Remembered during one search only: the number of a forgotten session is used again.
const std::string* SearchReader::session_name(std::int64_t session) {
  const auto known = names_.find(session);
  if (known != names_.end()) return &known->second;
  SqliteRows row = name_session_.query(session);
  if (!row.next()) return nullptr;
  return &names_.emplace(session, row.text(0)).first->second;
}

SearchHit SearchReader::read_hit(SqliteRows& row, const std::string& session_id) {
  SearchHit hit{.id = row.integer(0), .entry = {}, .snippet = snippet_of(row.text(11))};
  SearchEntry& entry = hit.entry;
  entry.sequence = static_cast<Sequence>(row.number(3));
  entry.index = row.integer(4);
  entry.session_id = session_id;
  entry.time = wall_time(row.integer(2)).value_or(WallTime{});
  entry.kind = parse_search_kind(row.text(5)).value_or(SearchKind::kMessage);
  entry.actor = parse_turn_actor(row.text(6));
  entry.task_id = row.text(7);
  entry.turn_id = row.text(8);
  entry.tool_name = row.text(9);
  entry.tool_call_id = row.text(10);
  return hit;
}

}  // namespace oriel
