#pragma once
// Starts programs from a multi-threaded process.

#include "base/error.h"
#include "posix/environment.h"
#include "posix/file_descriptor.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ProcessSpec {
  std::vector<std::string> argv;  // the program is resolved with the PATH of `environment`
  Environment environment;        // complete: nothing is inherited
  std::filesystem::path directory;
  std::filesystem::path cgroup = {};  // the child joins it if possible; empty: it stays in ours
  std::uint64_t max_data = 0;  // private writable memory of each of its processes; 0: no limit
};

// A running child and our ends of its pipes. Reap it with OwnChildren::reap().
struct Spawned {
  pid_t pid = 0;
  FileDescriptor process;  // pidfd; readable after the exit
  FileDescriptor input;
  FileDescriptor output;
  FileDescriptor errors;
};

// The child leads its own session and process group, has default signals, none of our files, no
// core dumps, and the umask and limits that Oriel was started with. It is killed when the calling
// thread ends. `directory`, if open, is entered instead of its path, which may lead elsewhere by
// now. Errors: kProgramMissing, kProgramNotExecutable, kDirectoryMissing, kCannotStart.
Result<Spawned> spawn(const ProcessSpec& command, const FileDescriptor& directory = {});

}  // namespace oriel
