#pragma once
// The status of a session, as every endpoint shows it.

#include <optional>
#include <string_view>

namespace oriel {

enum class SessionStatus { kIdle, kRunning, kFailed, kCompleted };

std::string_view name_of(SessionStatus status);  // "idle", "running", "failed", "completed"
std::optional<SessionStatus> parse_session_status(std::string_view name);

}  // namespace oriel
