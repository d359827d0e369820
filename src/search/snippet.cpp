#include "search/snippet.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kBefore = 80;  // characters before the first match of a text that is cut
constexpr std::string_view kEllipsis = "\u2026";

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

// The text without marks, and the first byte of each of its characters.
struct Unmarked {
  std::string text;
  std::vector<std::size_t> characters;
  std::vector<TextRange> ranges;
};

Unmarked unmark(std::string_view marked) {
  Unmarked out;
  bool is_open = false;
  for (const char c : marked) {
    const std::size_t at = out.characters.size();
    if (c == kMatchBegin) {
      out.ranges.push_back({.begin = at, .end = at});
      is_open = true;
    } else if (c == kMatchEnd) {
      if (is_open) out.ranges.back().end = at;
      is_open = false;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      if (out.text.empty() || out.text.back() == ' ') continue;
      out.characters.push_back(out.text.size());
      out.text += ' ';
    } else {
      if (begins_character(c)) out.characters.push_back(out.text.size());
      out.text += c;
    }
  }
  if (is_open) out.ranges.back().end = out.characters.size();
  return out;
}

}  // namespace

Snippet snippet_of(std::string_view marked) {
  const Unmarked all = unmark(marked);
  const std::size_t length = all.characters.size();
  std::size_t first = 0;
  if (length > kMaxSnippet && !all.ranges.empty())
    first = all.ranges.front().begin - std::min(kBefore, all.ranges.front().begin);
  first = std::min(first, length - std::min(kMaxSnippet, length));
  const std::size_t last = std::min(length, first + kMaxSnippet);
  const auto byte_of = [&](std::size_t character) {
    return character < length ? all.characters[character] : all.text.size();
  };

  Snippet snippet{.text = all.text.substr(byte_of(first), byte_of(last) - byte_of(first))};
  const std::size_t shift = first > 0 ? 1 : 0;  // of the ellipsis
  if (first > 0) snippet.text.insert(0, kEllipsis);
  if (last < length) snippet.text += kEllipsis;
  for (const TextRange& range : all.ranges) {
    const TextRange shown{.begin = std::max(range.begin, first), .end = std::min(range.end, last)};
    if (shown.begin >= shown.end) continue;
    snippet.ranges.push_back(
        {.begin = shown.begin - first + shift, .end = shown.end - first + shift});
  }
  return snippet;
}

}  // namespace oriel
