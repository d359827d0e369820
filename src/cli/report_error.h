#pragma once
// Error messages of commands.

#include "base/error.h"

#include <ostream>
#include <string>

namespace oriel {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;  // invalid command line, environment or config file

// The message, with the hint indented below it.
inline std::string format_error(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "\n  " + error.hint;
}

// Writes "oriel: MESSAGE" and the hint. Returns `exit_code`, for `return report_error(...)`.
inline int report_error(std::ostream& err, const Error& error, int exit_code) {
  err << "oriel: " << format_error(error) << std::endl;
  return exit_code;
}

}  // namespace oriel
