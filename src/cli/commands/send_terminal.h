#pragma once
// The terminal of `oriel send`: output, keyboard and Ctrl-C.

#include "client/task_reader.h"

namespace oriel {

struct ShowTask {
  ServerAccess server;
  TaskPosition position;
  bool is_json = false;
  bool is_colored = true;
};

// Shows a task until its end and returns the exit code. The first SIGINT or SIGTERM cancels the
// task and waits for its end, the second exits.
int show_task(const ShowTask& options);

}  // namespace oriel
