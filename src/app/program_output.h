#pragma once
// What a program says when it is asked one thing: `git --version`.

#include "core/error.h"

#include <chrono>
#include <string>
#include <vector>

namespace oriel {

// Runs the program (a path) with these arguments and nothing to read; returns the beginning of what
// it wrote on standard output and error together. The error says how it failed: it could not be
// started, it ended with a code other than 0, or it was ended after `limit`. Blocks; leaves none of
// its process group behind.
Result<std::string> program_output(const std::vector<std::string>& words,
                                   std::chrono::milliseconds limit);

}  // namespace oriel
