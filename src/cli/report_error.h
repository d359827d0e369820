#pragma once
// How a command says that it failed.

#include "base/error.h"

#include <ostream>
#include <string>

namespace oriel {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;  // the command line, environment or config file is wrong

// The message, the hint indented below it.
inline std::string complaint(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "\n  " + error.hint;
}

// "oriel: message", the hint indented below it. Returns the exit code, for `return complain(...)`.
inline int complain(std::ostream& err, const Error& error, int exit_code) {
  err << "oriel: " << complaint(error) << std::endl;
  return exit_code;
}

}  // namespace oriel
