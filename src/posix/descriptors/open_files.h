#pragma once
// The file descriptors of this process and their limit (ulimit -n).

#include "posix/file_descriptor.h"

#include <cstdint>
#include <vector>

namespace oriel {

// How many more descriptors this process may open; 0 also if that cannot be found out.
std::uint64_t free_descriptors();

// Descriptors kept for later. Not for use on several threads at once.
class ReservedDescriptors {
 public:
  // Opens as many as there are, up to `count`.
  explicit ReservedDescriptors(std::size_t count);

  void release() { files_.clear(); }

 private:
  std::vector<FileDescriptor> files_;
};

}  // namespace oriel
