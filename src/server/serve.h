#pragma once
// `oriel serve`.

#include "server/serve_options.h"

namespace oriel {

// Serves until SIGINT or SIGTERM. Returns the exit code: 0 after an orderly shutdown, 1 if it
// cannot serve, 2 for invalid options.
int serve(ServeOptions options);

}  // namespace oriel
