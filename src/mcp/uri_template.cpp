#include "mcp/uri_template.h"

#include "base/text/utf8.h"
#include "http/path_template.h"

namespace oriel::mcp {
namespace {

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
  const auto params = http::match_template(uri_template, uri);
  if (!params) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto& [name, value] : *params) {
    std::optional<std::string> part = decode(value);
    if (!part) return std::nullopt;
    parts.emplace_back(name, *std::move(part));
  }
  return parts;
}

}  // namespace oriel::mcp
