#pragma once
// The terminal of `oriel send`: its screen, keyboard and Ctrl-C.

#include "client/task_reader.h"

namespace oriel {

struct ShowTurn {
  ServerAccess server;
  TurnPlace place;
  bool is_json = false;
  bool is_colored = true;
};

// Shows a turn until its end and returns the exit code. The first SIGINT or SIGTERM cancels the
// turn and waits for its end, the second leaves.
int show_turn(const ShowTurn& options);

}  // namespace oriel
