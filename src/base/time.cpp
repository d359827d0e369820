#include "base/time.h"

#include <algorithm>
#include <cstdint>

namespace oriel {
namespace {

constexpr std::int64_t kLastMillisecond = 253'402'300'799'999;  // of the year 9999

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// As the shape has it: 0 stands for a digit, anything else for itself.
bool has_shape(std::string_view text, std::string_view shape) {
  const auto fits = [](char c, char wanted) { return wanted == '0' ? is_digit(c) : c == wanted; };
  return text.size() >= shape.size() && std::equal(shape.begin(), shape.end(), text.begin(),
                                                   [&](char s, char c) { return fits(c, s); });
}

int number_at(std::string_view text, std::size_t at, std::size_t length) {
  int number = 0;
  for (const char c : text.substr(at, length))
    number = number * 10 + (c - '0');
  return number;
}

// By hand, as every event has a time: a formatting library parses its format each time.
void put_number(std::string& text, std::size_t at, std::size_t length, std::int64_t number) {
  for (std::size_t i = at + length; i-- > at; number /= 10)
    text[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

WallTime wall_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::optional<WallTime> wall_time(std::int64_t unix_milliseconds) {
  if (unix_milliseconds < 0 || unix_milliseconds > kLastMillisecond) return std::nullopt;
  return WallTime(std::chrono::milliseconds(unix_milliseconds));
}

std::string format_time(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string text = "0000-00-00T00:00:00.000Z";
  put_number(text, 0, 4, static_cast<int>(date.year()));
  put_number(text, 5, 2, static_cast<unsigned>(date.month()));
  put_number(text, 8, 2, static_cast<unsigned>(date.day()));
  put_number(text, 11, 2, clock.hours().count());
  put_number(text, 14, 2, clock.minutes().count());
  put_number(text, 17, 2, clock.seconds().count());
  put_number(text, 20, 3, clock.subseconds().count());
  return text;
}

std::optional<WallTime> parse_time(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (!has_shape(text, kShape)) return std::nullopt;
  const year_month_day date(year(number_at(text, 0, 4)),
                            month(static_cast<unsigned>(number_at(text, 5, 2))),
                            day(static_cast<unsigned>(number_at(text, 8, 2))));
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  std::string_view rest = text.substr(kShape.size());
  std::string fraction;
  if (rest.starts_with('.')) {
    const auto end = std::find_if_not(rest.begin() + 1, rest.end(), is_digit);
    fraction.assign(rest.begin() + 1, end);
    rest.remove_prefix(1 + fraction.size());
    if (fraction.empty()) return std::nullopt;
  }
  if (rest != "Z" && rest != "+00:00") return std::nullopt;
  fraction.resize(3, '0');
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second) +
         milliseconds(number_at(fraction, 0, 3));
}

}  // namespace oriel
