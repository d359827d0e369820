#pragma once
// `oriel hook`: run by an agent at each of its hooks. Forwards the payload to the server and never
// delays the agent.

#include "base/hook_kind.h"
#include "client/server_access.h"

#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct HookOptions {
  ServerAccess server;
  std::optional<HookKind> kind;  // none: from the payload
  bool is_verbose = false;       // stays in the foreground and reports errors
  bool is_hosted = false;        // Oriel runs this agent itself: nothing is sent
  std::optional<Error> problem;  // with the command line or environment
};

// Reads standard input. Always returns 0: any other exit code would disturb the agent. Unless it is
// verbose, the process exits as soon as the payload is read, and a child in its own session sends
// it. Takes at most one second.
int hook(const HookOptions& options, std::ostream& err);

}  // namespace oriel
