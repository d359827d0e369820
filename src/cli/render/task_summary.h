#pragma once
// The summary of an ended task.

#include "base/event/session_event.h"
#include "base/event/usage.h"

#include <chrono>
#include <optional>
#include <string>

namespace oriel {

constexpr int kExitCancelled = 130;  // as shells report SIGINT

// The exit code, if this event ends its task.
std::optional<int> task_end(const SessionEvent& event);

// "1.2k tokens in, 340 out, $0.0123", as far as known.
std::string usage_text(const Usage& usage);

// Two lines: the session with duration and usage, and how to continue.
std::string task_summary(const std::string& session_id, std::chrono::milliseconds duration,
                         const Usage& usage);

}  // namespace oriel
