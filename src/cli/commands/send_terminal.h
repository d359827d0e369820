#pragma once
// The terminal of `oriel send`: its screen, keyboard and Ctrl-C.

#include "client/task_reader.h"

namespace oriel {

struct ShowTask {
  ServerAccess server;
  TaskPlace place;
  bool is_json = false;
  bool is_colored = true;
};

// Shows a task until its end and returns the exit code. The first SIGINT or SIGTERM cancels the
// task and waits for its end, the second leaves.
int show_task(const ShowTask& options);

}  // namespace oriel
