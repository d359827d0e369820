#pragma once
// Reads the events of a task, each once and in order. They are requested by index, so that neither
// a broken connection nor a restart of the server loses any.

#include "client/server_access.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

struct TaskPosition {
  std::string session_id;
  std::string task_id;            // events of other tasks are skipped; empty: all tasks
  std::int64_t since_index = -1;  // the last event before the task
  bool is_waiting = false;        // queued behind a running task
};

struct TaskOutput {
  std::function<bool(const boost::json::object&)> event;  // returns false after the last one
  std::function<void(const std::string&)> notice;         // about the connection
};

// Returns after the last event. An error if the server rejects the request or the session no longer
// works. Retries if the server is busy or cannot be reached.
asio::awaitable<Result<void>> read_task(ServerAccess server, TaskPosition position,
                                        TaskOutput output);

}  // namespace oriel
