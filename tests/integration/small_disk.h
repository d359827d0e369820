#pragma once
// A small file system of its own, which can be filled to the last byte. Only programs that are
// started with its launcher see it.

#include "child_process.h"

#include <cstdint>
#include <memory>

namespace oriel {

class SmallDisk {
 public:
  explicit SmallDisk(std::uint64_t mebibytes);

  // Why this machine has none; empty: it has one.
  std::string problem() const;

  // Where those programs find it.
  const std::filesystem::path& path() const { return mount_.path(); }

  std::vector<std::string> launcher() const;

  void fill() const;
  void make_room() const;

 private:
  std::filesystem::path filler() const;

  TempDir mount_;
  std::unique_ptr<TestProcess> holder_;
};

}  // namespace oriel
