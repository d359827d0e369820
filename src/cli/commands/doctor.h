#pragma once
// `oriel doctor`: is everything there that Oriel needs, and what to do about what is not.

#include "cli/render/terminal.h"
#include "server/serve_options.h"

#include <iosfwd>
#include <string>

namespace oriel {

struct DoctorOptions {
  ServeOptions serve;
  std::string path;          // the value of PATH
  bool wants_start = false;  // starts every agent, too
  bool is_colored = true;
};

// Returns the exit code: 1 when something is broken. Works with and without a running server.
int doctor(const DoctorOptions& options, const Screen& screen, std::ostream& out);

}  // namespace oriel
