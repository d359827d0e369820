#pragma once
// The log, on standard error: oriel::log()->info("removed client {}", id).

#include <spdlog/formatter.h>
#include <spdlog/logger.h>

#include <memory>
#include <string_view>

namespace oriel {

// The process's logger. Safe from any thread.
const std::shared_ptr<spdlog::logger>& log();

// One of trace, debug, info, warn, error, off.
bool is_log_level(std::string_view name);
void set_log_level(std::string_view name);

// Format and flush level of log lines, for another sink.
std::unique_ptr<spdlog::formatter> log_format();
inline constexpr spdlog::level::level_enum kFlushedLevel = spdlog::level::info;

}  // namespace oriel
