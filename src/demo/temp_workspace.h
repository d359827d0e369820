#pragma once
// For tests: a directory that goes with its object.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace oriel {

class TempWorkspace {
 public:
  TempWorkspace() {
    std::string name = (std::filesystem::temp_directory_path() / "oriel-demo-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a directory");
    path_ = std::filesystem::canonical(name);
  }

  ~TempWorkspace() { std::filesystem::remove_all(path_); }

  TempWorkspace(const TempWorkspace&) = delete;
  TempWorkspace& operator=(const TempWorkspace&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void add(const std::filesystem::path& file, std::string_view content) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << content;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace oriel
