#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 6> kLevels = {"trace", "debug", "info",
                                                     "warn",  "error", "off"};

std::shared_ptr<spdlog::logger> make_logger() {
  auto logger = std::make_shared<spdlog::logger>(
      "oriel", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_formatter(log_format());
  logger->flush_on(kFlushedLevel);
  return logger;
}

}  // namespace

const std::shared_ptr<spdlog::logger>& log() {
  static const std::shared_ptr<spdlog::logger> kLogger = make_logger();
  return kLogger;
}

bool is_log_level(std::string_view name) {
  return std::find(kLevels.begin(), kLevels.end(), name) != kLevels.end();
}

void set_log_level(std::string_view name) {
  log()->set_level(spdlog::level::from_str(std::string(name)));
}

std::unique_ptr<spdlog::formatter> log_format() {
  return std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %^%-5l%$ %v",
                                                     spdlog::pattern_time_type::utc);
}

}  // namespace oriel
