#pragma once
// How an agent's process ended. A value.

#include <string>

namespace oriel {

// How a process ended, as text: "exited with code 1", "was killed by SIGKILL (signal 9)", and the
// last lines of its standard error.
struct AgentExit {
  int code = 0;       // when it exited
  int signal = 0;     // when a signal ended it
  std::string cause;  // why Oriel ended it, such as "closed its output"; else empty
  std::string last_words;

  std::string describe() const;
};

}  // namespace oriel
