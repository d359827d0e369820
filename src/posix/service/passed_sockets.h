#pragma once
// Sockets that a service manager passes to this process: the protocol of systemd's socket
// activation.

#include "base/error.h"
#include "posix/environment.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace oriel {

struct PassedSocket {
  int number = -1;   // of its descriptor
  std::string name;  // of its unit, for messages

  bool operator==(const PassedSocket&) const = default;
};

// The sockets that LISTEN_FDS and LISTEN_FDNAMES announce to the process LISTEN_PID; none if that
// is not this one. An error names the malformed variable. Pure.
Result<std::vector<PassedSocket>> announced_sockets(const Environment& environment, pid_t process);

}  // namespace oriel
