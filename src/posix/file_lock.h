#pragma once
// A file that only one process at a time may hold.

#include <filesystem>

namespace oriel {

// Held from construction to destruction, and given back by the kernel if the process dies. The file
// itself stays.
class FileLock {
 public:
  // Throws std::runtime_error that names the file, and the process that holds it.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace oriel
