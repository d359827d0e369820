#pragma once
// Files on their way to a session: written where nobody looks, moved into the session's directory
// when they are whole, and removed again unless they are kept.

#include "base/error.h"
#include "base/turn.h"
#include "posix/file_descriptor.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// How many bytes all uploads have; shared by all who add to them.
using UploadedBytes = std::shared_ptr<std::atomic<std::uint64_t>>;

// Everything blocks. Belongs to one upload; its destruction removes the files and gives their bytes
// back, unless keep() was called. Errors: upload_failed, uploads_full.
class IncomingFiles {
 public:
  // Of all uploads there may be `max_bytes`.
  IncomingFiles(std::filesystem::path directory, UploadedBytes bytes, std::uint64_t max_bytes);
  ~IncomingFiles();
  IncomingFiles(const IncomingFiles&) = delete;
  IncomingFiles& operator=(const IncomingFiles&) = delete;

  // One file after another; none but its owner may read it.
  Result<void> begin(const TurnFile& file);
  Result<void> write(std::string_view bytes);
  Result<void> end();

  // Into this directory, which is made if it is missing.
  Result<void> move_to(const std::filesystem::path& directory);

  void keep() { is_kept_ = true; }

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
