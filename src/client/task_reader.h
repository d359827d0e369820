#pragma once
// A task's events from the server, each once and in order, whatever happens to the connection: they
// are asked for by index, so that a cut or a restart of the server loses none.

#include "client/server_access.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

struct TaskPlace {
  std::string session_id;
  std::string task_id;            // events of other tasks are passed over; empty: none are
  std::int64_t since_index = -1;  // the last event before the task
  bool is_waiting = false;        // behind a task at work
};

struct TaskOutput {
  std::function<bool(const boost::json::object&)> event;  // false: it was the last one
  std::function<void(const std::string&)> notice;         // of what happens to the connection
};

// Returns after the last event. The error says why there will be none: the server refuses, or the
// session is no longer at work. A server that is away or busy is tried again.
asio::awaitable<Result<void>> read_task(ServerAccess server, TaskPlace place, TaskOutput output);

}  // namespace oriel
