#pragma once
// A piece of the text that was found, with the places of the words in it. Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Around each word that was found, in a text without control characters.
constexpr char kMatchBegin = '\x02';
constexpr char kMatchEnd = '\x03';

constexpr std::size_t kMaxSnippet = 240;  // characters, without the ellipses

// In characters: Unicode code points, from 0.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

struct Snippet {
  std::string text;  // one line
  std::vector<TextRange> ranges = {};

  bool operator==(const Snippet&) const = default;
};

// White space becomes one space. A longer text is cut around its first match, with ellipses.
Snippet snippet_of(std::string_view marked);

}  // namespace oriel
