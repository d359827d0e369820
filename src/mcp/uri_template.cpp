#include "mcp/uri_template.h"

#include "base/utf8.h"

namespace oriel::mcp {
namespace {

// Removes and returns the segment before the next slash; none after the last one.
std::optional<std::string_view> take_segment(std::optional<std::string_view>& text) {
  if (!text) return std::nullopt;
  const std::size_t end = text->find('/');
  const std::string_view segment = text->substr(0, end);
  if (end == std::string_view::npos)
    text = std::nullopt;
  else
    text->remove_prefix(end + 1);
  return segment;
}

// The name in "{name}"; empty for anything else.
std::string_view name_in(std::string_view segment) {
  if (segment.size() < 3 || segment.front() != '{' || segment.back() != '}') return {};
  return segment.substr(1, segment.size() - 2);
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> decode(std::string_view encoded) {
  std::string text;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] == '?' || encoded[i] == '#') return std::nullopt;  // the path ends here
    if (encoded[i] != '%') {
      text += encoded[i];
      continue;
    }
    if (encoded.size() - i < 3) return std::nullopt;
    const auto high = hex_digit(encoded[i + 1]);
    const auto low = hex_digit(encoded[i + 2]);
    if (!high || !low) return std::nullopt;
    text += static_cast<char>(*high << 4 | *low);
    i += 2;
  }
  if (text.empty() || !is_utf8(text)) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::vector<std::pair<std::string, std::string>>> match_uri(
    std::string_view uri_template, std::string_view uri) {
  std::vector<std::pair<std::string, std::string>> parts;
  std::optional<std::string_view> wanted_rest = uri_template;
  std::optional<std::string_view> given_rest = uri;
  while (wanted_rest || given_rest) {
    const auto wanted = take_segment(wanted_rest);
    const auto given = take_segment(given_rest);
    if (!wanted || !given) return std::nullopt;
    const std::string_view name = name_in(*wanted);
    if (name.empty()) {
      if (*wanted != *given) return std::nullopt;
      continue;
    }
    std::optional<std::string> part = decode(*given);
    if (!part) return std::nullopt;
    parts.emplace_back(name, std::move(*part));
  }
  return parts;
}

}  // namespace oriel::mcp
