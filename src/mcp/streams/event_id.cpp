#include "mcp/streams/event_id.h"

#include <spdlog/fmt/fmt.h>

#include <charconv>
#include <utility>

namespace oriel::mcp {
namespace {

constexpr std::size_t kMaxLength = 1024;
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void append_field(std::string& out, std::string_view field) {
  for (const char c : field) {
    if (stands_for_itself(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '.';
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
  out += '-';
}

// Decodes an escape, '.' and two hex digits, at the front of `text`; none if it is malformed or
// unnecessary.
std::optional<char> escaped_byte(std::string_view text) {
  if (text.size() < 3 || text[0] != '.') return std::nullopt;
  const std::size_t high = kHexDigits.find(text[1]);
  const std::size_t low = kHexDigits.find(text[2]);
  if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
  const char byte = static_cast<char>(high * 16 + low);
  if (stands_for_itself(byte)) return std::nullopt;
  return byte;
}

std::optional<std::string> decoded(std::string_view field) {
  std::string out;
  while (!field.empty()) {
    const bool is_plain = stands_for_itself(field[0]);
    const std::optional<char> byte = is_plain ? field[0] : escaped_byte(field);
    if (!byte) return std::nullopt;
    out += *byte;
    field.remove_prefix(is_plain ? 1 : 3);
  }
  return out;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || after != end) return std::nullopt;
  return number;
}

}  // namespace

std::string event_id_prefix(const EventId& id) {
  std::string out;
  for (const std::string* field : {&id.session, &id.stream, &id.node, &id.rpc})
    append_field(out, *field);
  return out;
}

std::string to_string(const EventId& id) {
  return event_id_prefix(id) + counter_text(id.position, id.counter);
}

std::string counter_text(std::uint64_t position, std::uint64_t counter) {
  if (position == 0) return std::to_string(counter);
  return fmt::format("{}_{}", position, counter);
}

std::optional<EventId> parse_event_id(std::string_view text) {
  if (text.size() > kMaxLength) return std::nullopt;
  EventId id;
  for (std::string* field : {&id.session, &id.stream, &id.node, &id.rpc}) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    std::optional<std::string> value = decoded(text.substr(0, dash));
    if (!value) return std::nullopt;
    *field = std::move(*value);
    text.remove_prefix(dash + 1);
  }
  if (const std::size_t underscore = text.find('_'); underscore != std::string_view::npos) {
    const std::optional<std::uint64_t> position = parse_number(text.substr(0, underscore));
    if (!position || *position == 0) return std::nullopt;
    id.position = *position;
    text.remove_prefix(underscore + 1);
  }
  const std::optional<std::uint64_t> counter = parse_number(text);
  if (!counter) return std::nullopt;
  id.counter = *counter;
  return id;
}

}  // namespace oriel::mcp
