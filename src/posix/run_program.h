#pragma once
// Runs a program to completion.

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <chrono>
#include <string>

namespace oriel {

// Returns its standard output, at most 64 KiB; its input is empty. Errors: those of spawn(),
// kProgramFailed (with the end of its standard error), kProgramSlow (killed after `limit`).
asio::awaitable<Result<std::string>> run_program(ProcessSpec command,
                                                 std::chrono::milliseconds limit);

}  // namespace oriel
