#include "cli/render/age.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

}  // namespace

std::string age_of(std::string_view timestamp, WallTime now) {
  const auto time = parse_time(timestamp);
  if (!time) return "";
  const auto seconds = std::max<std::int64_t>((now - *time).count() / 1000, 0);
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m", seconds / 60);
  if (seconds < 2 * kDaySeconds) return fmt::format("{}h", seconds / 3600);
  return fmt::format("{}d", seconds / kDaySeconds);
}

}  // namespace oriel
