#pragma once
// Runs a program to completion.

#include "posix/child_process.h"
#include "posix/spawn.h"
#include "runtime/asio.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace oriel {

struct ProgramEnd {
  ExitStatus status;
  std::string output;  // at most the last 64 KiB
  std::string errors;  // the end of its standard error
};

// Its input is empty. Errors: those of spawn(), kProgramSlow (killed after `limit`).
asio::awaitable<Result<ProgramEnd>> run_to_end(ProcessSpec command,
                                               std::chrono::milliseconds limit);

// The error of a program that has failed: kProgramFailed, with the end of its standard error.
Error program_failed(const std::string& name, const ProgramEnd& end);

// Returns its standard output. Errors: those of run_to_end() and program_failed().
asio::awaitable<Result<std::string>> run_program(ProcessSpec command,
                                                 std::chrono::milliseconds limit);

// The next piece of a program's input; empty: its end. An error ends the program.
using ProgramInput = std::function<asio::awaitable<Result<std::string>>()>;

struct ProgramPipe {
  ProgramInput input = {};            // none: it is empty
  std::size_t max_output = 64 << 10;  // a program that writes more is killed
  bool cuts_output = false;           // then its first `max_output` bytes are the result
};

// Like run_program() for a program that reads or writes much. Returns the bytes of its output.
// Further errors: kProgramFailed (it wrote too much), and that of the input.
asio::awaitable<Result<std::string>> pipe_program(ProcessSpec command,
                                                  std::chrono::milliseconds limit,
                                                  ProgramPipe pipe);

}  // namespace oriel
