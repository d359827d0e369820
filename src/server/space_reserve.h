#pragma once
// Disk space that is kept for the records of the shutdown: a file without content, which is removed
// when they are stored.

#include <cstdint>
#include <filesystem>

namespace oriel {

// One thread at a time; its functions block.
class SpaceReserve {
 public:
  // Reserves nothing yet. With 0 bytes it never does.
  SpaceReserve(std::filesystem::path file, std::uint64_t bytes);

  // Reserves the space unless that would leave less than as much again to others. Returns whether
  // it is reserved. Has no effect after release().
  bool fill();

  // Frees the space for good.
  void release();

 private:
  bool has_room() const;

  const std::filesystem::path file_;
  const std::uint64_t bytes_;
  bool is_filled_ = false;
  bool is_released_ = false;
};

}  // namespace oriel
