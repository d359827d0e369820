#pragma once
// A directory that lasts as long as the test that uses it.

#include <filesystem>

namespace oriel {

class TempDir {
 public:
  // In the system's place for such, or in `parent`.
  explicit TempDir(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The whole file; empty if there is none.
std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view content);

}  // namespace oriel
