#include "runtime/run_or_abort.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <unistd.h>

namespace oriel {

void abort_thread(const char* name, const char* reason) {
  std::array<char, 512> line{};
  const int length = std::snprintf(line.data(), line.size(),
                                   "oriel: thread %s failed: %s; the process ends\n", name, reason);
  pollfd error{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  // A full pipe without a reader must not keep the process alive.
  if (length > 0 && poll(&error, 1, 0) == 1) {
    const auto bytes = std::min(static_cast<std::size_t>(length), line.size() - 1);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), bytes);
  }
  std::abort();
}

}  // namespace oriel
