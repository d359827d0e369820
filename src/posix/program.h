#pragma once

#include "base/error.h"

#include <string>
#include <string_view>

namespace oriel {

// The file that `name` means: itself when it has a slash, else the first of this name that can be
// run in the directories of `path`. Errors: program_missing, program_not_executable.
Result<std::string> find_program(std::string_view name, std::string_view path);

}  // namespace oriel
