#pragma once
// The files below one directory, and nothing else: neither "..", nor an absolute path, nor a link
// leads out of it. Sizes are bounded.

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxListedFiles = 5'000;
constexpr std::size_t kMaxReadBytes = 1 << 20;
constexpr std::size_t kMaxWrittenBytes = 1 << 20;

struct FileEntry {
  std::string path;  // from the workspace on
  std::uintmax_t bytes = 0;

  bool operator==(const FileEntry&) const = default;
};

struct FileListing {
  std::vector<FileEntry> files;  // by path
  bool is_cut = false;           // there are more than kMaxListedFiles
};

struct FileContent {
  std::string bytes;
  bool is_cut = false;  // there are more than kMaxReadBytes
};

// The regular files below `directory` (empty: all of the workspace), without those that tools keep
// for themselves (.git, node_modules).
Result<FileListing> list_files(const std::filesystem::path& workspace, std::string_view directory);

Result<FileContent> read_file(const std::filesystem::path& workspace, std::string_view path);

// Makes the file or replaces its content. Its directory has to exist.
Result<void> write_file(const std::filesystem::path& workspace, std::string_view path,
                        std::string_view content);

}  // namespace oriel
