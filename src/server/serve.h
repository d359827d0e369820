#pragma once
// Builds the rooms, runs them, and shuts them down.

#include "server/serve_options.h"

namespace oriel {

// Serves until SIGINT or SIGTERM. Returns the process's exit code: 0 after a clean end, 1 when it
// could not serve.
int serve(const ServeOptions& options);

}  // namespace oriel
