#pragma once
// Runs a program to its end, for what Oriel itself needs done.

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <chrono>
#include <string>

namespace oriel {

// Its standard output, at most 64 KiB of it; its input is empty. Errors: those of spawn(),
// program_failed (with the last words of its standard error), program_slow (it was killed after
// `limit`).
asio::awaitable<Result<std::string>> run_program(ProcessSpec command,
                                                 std::chrono::milliseconds limit);

}  // namespace oriel
