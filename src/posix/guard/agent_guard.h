#pragma once
// A small process that outlives this one when it is killed, and then ends what its agents left.

#include "posix/file_descriptor.h"

#include <sys/types.h>

namespace oriel {

// A child of this process with a session of its own. It starts no program and ignores the signals
// that ask a program to end. Created before threads start, as it is a fork, and after
// enable_cgroup_limits(), which needs a cgroup without other processes. A failure is logged: then
// leftover processes end at the next start.
class AgentGuard {
 public:
  AgentGuard();
  ~AgentGuard();  // ends it
  AgentGuard(const AgentGuard&) = delete;
  AgentGuard& operator=(const AgentGuard&) = delete;

 private:
  FileDescriptor alive_;  // the guard reads the other end; the kernel closes this one at our death
  pid_t pid_ = -1;
};

}  // namespace oriel
