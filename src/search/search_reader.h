#pragma once
// Searches the index. Blocking; used by one thread, while a SearchWriter on another writes.

#include "journal/sqlite/sqlite_database.h"
#include "search/search_query.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace oriel {

class SearchReader {
 public:
  // Opens an index that a SearchWriter has made. Throws SqliteError.
  explicit SearchReader(const std::filesystem::path& file);

  // Stops at the deadline with what was found until then and where to go on. Error: kInvalidCursor,
  // for one of an index that was replaced. Throws SqliteError.
  Result<SearchResults> search(const SearchQuery& query,
                               std::chrono::steady_clock::time_point deadline);

 private:
  struct Bounds {
    std::int64_t after = 0;
    std::int64_t before = 0;
  };

  struct Title {
    std::int64_t id = 0;
    std::string text;
  };

  void find_titles(const SearchQuery& query, std::vector<SearchHit>& hits);
  void update_titles(const SearchedSessions& sessions);
  void find_entries(const SearchQuery& query, std::chrono::steady_clock::time_point deadline,
                    SearchResults& results);
  Bounds bounds_of(const SearchQuery& query);
  Marks marks_of(const SearchQuery& query);
  const std::string* session_name(std::int64_t session);
  SearchHit read_hit(SqliteRows& row, const std::string& session_id);

  SqliteDatabase database_;
  const std::string generation_;
  SqliteStatement find_session_;
  SqliteStatement name_session_;
  SqliteStatement first_since_;
  SqliteStatement last_until_;
  SqliteStatement matches_;
  std::unordered_map<std::int64_t, std::string> names_;  // of sessions, by number
  std::unordered_map<std::string, Title> titles_;        // in the table, by session
  std::int64_t next_title_ = 1;
};

}  // namespace oriel
