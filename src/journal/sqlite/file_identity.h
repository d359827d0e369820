#pragma once
// Detects that an open file was deleted or replaced.

#include <sys/types.h>

#include <filesystem>

namespace oriel {

// Keep the file open while this is used, so that no other file gets its inode.
class FileIdentity {
 public:
  // Throws std::runtime_error if there is no such file.
  explicit FileIdentity(std::filesystem::path file);

  // False if the file was deleted or replaced. Does not open it, because closing any descriptor of
  // a file releases SQLite's locks.
  bool is_there() const;

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace oriel
