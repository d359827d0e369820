#pragma once
// Marks all processes of one agent by an environment variable, so that they can be found again.

#include "base/error.h"

#include <string>

namespace oriel {

// Unique, and valid as a container name. Identifies the Oriel process that made it, so that
// processes left by a killed server can be distinguished from those of a running one. Error:
// kCannotStart, when /proc cannot be read.
Result<std::string> make_marker();

// Kills processes left behind by agents of a server that no longer runs. Returns their number; 0 if
// /proc cannot be read.
std::size_t end_abandoned();

}  // namespace oriel
