#pragma once
// What is said when a task has ended.

#include "base/session_event.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace oriel {

constexpr int kExitCancelled = 130;  // as a shell says of SIGINT

// The exit code, when this event is the end of its task.
std::optional<int> task_end(const SessionEvent& event);

// "1.2k tokens in, 340 out, $0.0123": as far as it is known, else empty.
std::string usage_text(const boost::json::object& usage);

// The session, the task's time and usage, and how to go on, in two lines.
std::string task_summary(const std::string& session_id, std::chrono::milliseconds duration,
                         const boost::json::object& usage);

}  // namespace oriel
