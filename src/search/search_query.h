#pragma once
// A search and its results. Values only.

#include "search/search_entry.h"
#include "search/search_words.h"
#include "search/snippet.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace oriel {

// A session whose text may be found.
struct SearchedSession {
  std::int64_t rank = 0;  // titles with lower ones come first
  std::string title = {};
  std::string project_id = {};
};

using SearchedSessions = std::unordered_map<std::string, SearchedSession>;  // by id

// Where an earlier search stopped. The generation ends when the index is made again.
struct SearchCursor {
  std::string generation;
  std::int64_t before = 0;

  bool operator==(const SearchCursor&) const = default;
};

// "k7q2mzx4...-1042", and back.
std::string format_search_cursor(const SearchCursor& cursor);
Result<SearchCursor> parse_search_cursor(std::string_view text);

struct SearchQuery {
  std::vector<SearchWord> words = {};
  std::vector<SearchKind> kinds = {};  // empty: any
  std::optional<TurnActor> actor = {};
  std::optional<WallTime> since = {};  // inclusive
  std::optional<WallTime> until = {};  // exclusive
  std::size_t limit = 20;
  std::optional<SearchCursor> cursor = {};
  std::shared_ptr<const SearchedSessions> sessions;  // the only ones whose text may be found
};

struct SearchHit {
  std::int64_t id = 0;  // of its entry in the index; 0: a title
  SearchEntry entry;    // without its text
  Snippet snippet;

  bool operator==(const SearchHit&) const = default;
};

struct SearchResults {
  std::string generation = {};            // of the index
  std::vector<SearchHit> hits = {};       // titles first, then the newest first
  std::optional<SearchCursor> next = {};  // none: there is no more
  std::uint64_t pending_events = 0;       // that are stored, and not indexed yet
};

// Where to go on after the first `count` hits.
SearchCursor cursor_after(const SearchResults& results, std::size_t count);

}  // namespace oriel
