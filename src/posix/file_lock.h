#pragma once
// A lock file that one process at a time can hold.

#include "posix/file_descriptor.h"

#include <chrono>
#include <filesystem>

namespace oriel {

// Held from construction to destruction; the kernel releases it if the process dies. The file
// itself stays.
class FileLock {
 public:
  // Throws std::runtime_error with the file and the holding process.
  explicit FileLock(const std::filesystem::path& file);

 private:
  FileDescriptor file_;
};

// Blocks until no process holds this lock, or the time has passed, and returns whether it is free.
bool wait_until_unlocked(const std::filesystem::path& file, std::chrono::milliseconds within);

}  // namespace oriel
