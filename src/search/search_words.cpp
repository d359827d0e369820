#include "search/search_words.h"

#include "base/text/utf8.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMinPrefix = 2;  // characters: a shorter one matches nearly everything
constexpr std::string_view kBlanks = " \t\r\n\f\v";

Error bad_words(std::string message, std::string hint) {
  return {
      .kind = ErrorKind::kInvalidParameter, .message = std::move(message), .hint = std::move(hint)};
}

bool is_ascii_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// No-break space and quotes (U+00A0 to U+00BF), general punctuation (U+2000 to U+206F), CJK
// punctuation (U+3000 to U+303F) and emoji (U+1F000 to U+1FFFF), by their first bytes.
bool is_punctuation(unsigned char lead, unsigned char next) {
  return lead == 0xc2 || (lead == 0xe2 && (next == 0x80 || next == 0x81)) ||
         (lead == 0xe3 && next == 0x80) || (lead == 0xf0 && next == 0x9f);
}

// The characters at the end of valid UTF-8 that belong to a word.
std::size_t word_characters_at_end(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    const auto byte = static_cast<unsigned char>(text[i - 1]);
    if (byte < 0x80 && !is_ascii_word(byte)) break;
    if ((byte & 0xc0) != 0x80) ++count;
  }
  return count;
}

bool has_word(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (is_ascii_word(byte)) return true;
    if (byte < 0xc0) continue;  // other ASCII, or inside a character
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (!is_punctuation(byte, next)) return true;
  }
  return false;
}

// Takes the next word or phrase off the front.
SearchWord take_word(std::string_view& rest) {
  SearchWord word;
  if (rest.front() == '"') {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('"'), rest.size());
    word.text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    word.is_prefix = rest.starts_with('*');
    if (word.is_prefix) rest.remove_prefix(1);
  } else {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\f\v\""), rest.size());
    word.text = rest.substr(0, end);
    rest.remove_prefix(end);
    word.is_prefix = word.text.ends_with('*');
  }
  while (word.text.ends_with('*'))
    word.text.pop_back();
  return word;
}

// As a string of FTS5, in which only the quote is special.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

Result<std::vector<SearchWord>> parse_search_words(std::string_view text) {
  if (text.size() > kMaxSearchBytes)
    return bad_words("q: is longer than " + std::to_string(kMaxSearchBytes) + " bytes",
                     "search for fewer words");
  std::string clean = valid_utf8(std::string(text));
  std::replace(clean.begin(), clean.end(), '\0', ' ');
  std::vector<SearchWord> words;
  std::string_view rest = clean;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (rest.empty()) break;
    SearchWord word = take_word(rest);
    if (!has_word(word.text)) continue;
    if (word.is_prefix && word_characters_at_end(word.text) < kMinPrefix)
      return bad_words("q: " + word.text + "* is too short for a prefix",
                       "a prefix needs at least two letters or digits");
    words.push_back(std::move(word));
  }
  if (words.empty()) return bad_words("q: has no word", "search for at least one letter or digit");
  if (words.size() > kMaxSearchWords)
    return bad_words("q: has more than " + std::to_string(kMaxSearchWords) + " words",
                     "search for fewer words, or for a phrase in quotes");
  return words;
}

std::string match_expression(const std::vector<SearchWord>& words, const Marks& marks) {
  std::string out = "{text} : (";
  for (const SearchWord& word : words) {
    if (out.back() != '(') out += " AND ";
    append_quoted(out, word.text);
    if (word.is_prefix) out += " *";
  }
  out += ')';
  for (const std::vector<std::string>& alternatives : marks) {
    out += " AND {marks} : (";
    for (const std::string& mark : alternatives) {
      if (out.back() != '(') out += " OR ";
      append_quoted(out, mark);
    }
    out += ')';
  }
  return out;
}

}  // namespace oriel
