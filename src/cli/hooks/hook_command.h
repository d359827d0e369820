#pragma once
// `oriel hook`: the command that an agent's settings name. It hands the hook's payload on to the
// server, and neither holds the agent up nor tells it anything.

#include "client/server_access.h"

#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct HookOptions {
  ServerAccess server;
  std::string kind;              // as the address has it; empty: the payload says it
  bool is_verbose = false;       // stays in the foreground, and says what is wrong
  bool is_hosted = false;        // Oriel itself runs the agent, and sees all it does anyway
  std::optional<Error> problem;  // of the command line or environment
};

// Reads standard input. Always returns 0: to an agent, any other exit code says that something is
// wrong with what it does. Unless it is verbose, the calling process ends as soon as the payload
// is read, and a child, in a session of its own, sends it. Nothing lasts longer than a second.
int hook(const HookOptions& options, std::ostream& err);

}  // namespace oriel
