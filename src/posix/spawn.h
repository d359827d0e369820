#pragma once
// Starts a program, whatever the other threads do meanwhile.

#include "base/error.h"
#include "posix/environment.h"
#include "posix/file_descriptor.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ProcessSpec {
  std::vector<std::string> argv;  // the program is looked for on the PATH of `environment`
  Environment environment;        // all of it: nothing is inherited
  std::filesystem::path directory;
};

// A child that runs, and our ends of what joins us. Its exit is to be taken with OwnChildren::reap.
struct Spawned {
  pid_t pid = 0;
  FileDescriptor process;  // a pidfd: readable once the process has ended
  FileDescriptor input;
  FileDescriptor output;
  FileDescriptor errors;
};

// In a session and a process group of its own, whose numbers are its pid; with default signals, no
// file of ours, and no core dumps. It is killed when the calling thread ends. Errors:
// program_missing, program_not_executable, directory_missing, cannot_start.
Result<Spawned> spawn(const ProcessSpec& command);

}  // namespace oriel
