#include "posix/descriptors/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace oriel {

std::uint64_t free_descriptors() {
  rlimit limit{};
  std::error_code ec;
  const std::filesystem::directory_iterator entries("/proc/self/fd", ec);
  if (ec || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const auto count = static_cast<std::uint64_t>(std::distance(begin(entries), end(entries)));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, count - 1);  // one is of /proc
}

ReservedDescriptors::ReservedDescriptors(std::size_t count) {
  while (files_.size() < count) {
    FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!file) return;
    files_.push_back(std::move(file));
  }
}

}  // namespace oriel
