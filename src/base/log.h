#pragma once
// Log lines for whoever runs the server, on standard error: oriel::log()->info("removed client {}",
// id).

#include <spdlog/logger.h>

#include <memory>
#include <string_view>

namespace oriel {

// The process's logger. Safe from any thread.
const std::shared_ptr<spdlog::logger>& log();

// One of trace, debug, info, warn, error, off.
bool is_log_level(std::string_view name);
void set_log_level(std::string_view name);

}  // namespace oriel
