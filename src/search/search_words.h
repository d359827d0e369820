#pragma once
// The words of a search, and the expression of SQLite's FTS5 that finds them. Pure. Nothing that a
// client types is ever syntax of FTS5.

#include "base/error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxSearchBytes = 512;
constexpr std::size_t kMaxSearchWords = 16;

// A word, or a phrase: words that follow one another.
struct SearchWord {
  std::string text;
  bool is_prefix = false;  // of its last word: longer words match, too

  bool operator==(const SearchWord&) const = default;
};

// `shop "exit code" over*`: an entry must have all of them. A quote without its pair reaches to the
// end. Error: kInvalidParameter, if there is no word, or too much.
Result<std::vector<SearchWord>> parse_search_words(std::string_view text);

// For each list, an entry has one of its marks.
using Marks = std::vector<std::vector<std::string>>;

// Columns `text` and `marks`.
std::string match_expression(const std::vector<SearchWord>& words, const Marks& marks);

}  // namespace oriel
