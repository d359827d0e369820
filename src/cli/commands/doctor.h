#pragma once
// `oriel doctor`: checks everything that Oriel needs and shows remedies.

#include "cli/render/terminal.h"
#include "server/serve_options.h"

#include <iosfwd>
#include <string>

namespace oriel {

struct DoctorOptions {
  ServeOptions serve;
  std::string path;          // the value of PATH
  bool wants_start = false;  // start every agent, too
  bool is_colored = true;
};

// Returns the exit code: 1 if something is broken. Works with or without a running server.
int doctor(const DoctorOptions& options, const Screen& screen, std::ostream& out);

}  // namespace oriel
