#pragma once
// How a command says that it failed.

#include "core/error.h"

#include <ostream>

namespace oriel {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;  // the command line, environment or config file is wrong

// "oriel: message", the hint indented below it. Returns the exit code, for `return complain(...)`.
inline int complain(std::ostream& err, const Error& error, int exit_code) {
  err << "oriel: " << error.message << '\n';
  if (!error.hint.empty()) err << "  " << error.hint << '\n';
  err.flush();
  return exit_code;
}

}  // namespace oriel
