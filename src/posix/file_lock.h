#pragma once
// A lock file that one process at a time can hold.

#include "posix/file_descriptor.h"

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

}  // namespace oriel
