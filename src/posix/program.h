#pragma once
// Finds programs.

#include "base/error.h"

#include <string>
#include <string_view>

namespace oriel {

// Resolves a program like a shell: a name with a slash is a path, else the first executable in the
// directories of `path`. Errors: kProgramMissing, kProgramNotExecutable.
Result<std::string> find_program(std::string_view name, std::string_view path);

}  // namespace oriel
