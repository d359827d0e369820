#include "base/text/quantity.h"

#include <array>
#include <charconv>
#include <limits>
#include <span>

namespace oriel {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

constexpr std::array<Unit, 5> kDurationUnits = {
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
constexpr std::array<Unit, 5> kByteUnits = {
    {{"", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}, {"TiB", 1ULL << 40}}};

std::optional<std::uint64_t> parse(std::string_view text, std::span<const Unit> units,
                                   std::uint64_t max) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_number(text.substr(0, digits));
  if (!number) return std::nullopt;
  const std::string_view unit_name = text.substr(digits);
  for (const Unit& unit : units) {
    if (unit.name == unit_name && *number <= max / unit.size) return *number * unit.size;
  }
  if (text == "0") return 0;
  return std::nullopt;
}

std::string format(std::uint64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.size == 0) best = &unit;
  }
  return std::to_string(value / best->size).append(best->name);
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto count = parse(text, kDurationUnits, std::numeric_limits<std::int64_t>::max());
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(*count);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return parse(text, kByteUnits, std::numeric_limits<std::uint64_t>::max());
}

std::string format_duration(std::chrono::milliseconds duration) {
  return format(static_cast<std::uint64_t>(duration.count()), kDurationUnits);
}

std::string format_bytes(std::uint64_t bytes) {
  return format(bytes, kByteUnits);
}

}  // namespace oriel
