#include "app/age.h"

#include "app/quantity.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {

std::optional<WallTime> parse_time(std::string_view text) {
  using namespace std::chrono;
  const auto number = [&](std::size_t at, std::size_t length) {
    return at + length <= text.size() ? parse_number(text.substr(at, length)) : std::nullopt;
  };
  const auto year_number = number(0, 4);
  const auto month_number = number(5, 2);
  const auto day_number = number(8, 2);
  const auto hour = number(11, 2);
  const auto minute = number(14, 2);
  const auto second = number(17, 2);
  if (!year_number || !month_number || !day_number || !hour || !minute || !second) return {};
  const year_month_day date(year(static_cast<int>(*year_number)),
                            month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number)));
  if (!date.ok() || !text.ends_with('Z')) return {};
  const auto clock = hours(*hour) + minutes(*minute) + seconds(*second);
  return sys_days(date) + clock + milliseconds(text[19] == '.' ? number(20, 3).value_or(0) : 0);
}

std::string age_of(std::string_view timestamp, WallTime now) {
  const auto time = parse_time(timestamp);
  if (!time) return "";
  const auto seconds = std::max<std::int64_t>((now - *time).count() / 1000, 0);
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m", seconds / 60);
  if (seconds < 2 * 86'400) return fmt::format("{}h", seconds / 3600);
  return fmt::format("{}d", seconds / 86'400);
}

}  // namespace oriel
