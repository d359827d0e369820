#pragma once
// Files that are being uploaded: written to a hidden directory, moved into the session's directory
// when they are complete, and removed unless they are kept.

#include "base/error.h"
#include "base/event/turn.h"
#include "posix/file_descriptor.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The size of all uploads. Uploads in progress share and raise it.
using UploadedBytes = std::shared_ptr<std::atomic<std::uint64_t>>;

// All functions block. Owned by one upload; its destruction removes the files and subtracts their
// bytes unless keep() was called. Errors: upload_failed, uploads_full.
class IncomingFiles {
 public:
  // `max_bytes` limits all uploads together.
  IncomingFiles(std::filesystem::path directory, UploadedBytes bytes, std::uint64_t max_bytes);
  ~IncomingFiles();
  IncomingFiles(const IncomingFiles&) = delete;
  IncomingFiles& operator=(const IncomingFiles&) = delete;

  // Starts the next file. Only its owner can read it.
  Result<void> begin(const TurnFile& file);
  Result<void> write(std::string_view bytes);
  Result<void> end();

  // Creates the directory if it is missing.
  Result<void> move_to(const std::filesystem::path& directory);

  void keep() { is_kept_ = true; }

  std::filesystem::path path_of(const TurnFile& file) const;

 private:
  struct File {
    std::string name;
    std::uint64_t counted = 0;  // in `bytes_`
  };

  bool take_room(std::uint64_t more);

  std::filesystem::path directory_;  // where they are now
  UploadedBytes bytes_;
  std::uint64_t max_bytes_;
  std::vector<File> files_;
  FileDescriptor file_;  // being written
  bool is_kept_ = false;
};

}  // namespace oriel
