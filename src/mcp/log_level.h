#pragma once
// The levels of MCP's log messages, least urgent first.

#include <array>
#include <optional>
#include <string_view>

namespace oriel::mcp {

enum class LogLevel { kDebug, kInfo, kNotice, kWarning, kError, kCritical, kAlert, kEmergency };

std::string_view name_of(LogLevel level);
std::optional<LogLevel> parse_log_level(std::string_view text);

}  // namespace oriel::mcp
