#pragma once
// Turns the words after `oriel` into a command that is ready to run, with every value checked.

#include "cli/arguments/commands.h"

#include <string>
#include <vector>

namespace oriel {

// `arguments` exclude the program's name. Reads the config file if the command needs it. An error
// names the flag, variable or line, its value, and what is allowed.
Result<Command> parse_command_line(const std::vector<std::string>& arguments,
                                   const Environment& environment);

}  // namespace oriel
