#pragma once
// Help, generated from the declarations of the commands.

#include "cli/arguments/arguments.h"

#include <string>

namespace oriel {

std::string version_text();

// `oriel --help`.
std::string main_help();

// `oriel COMMAND --help`.
std::string command_help(const CommandSpec& command);

// The tables of docs/configuration.md, from serve_option_table().
std::string options_markdown();

// `oriel completion bash`: completes commands and their flags.
std::string bash_completion();

}  // namespace oriel
