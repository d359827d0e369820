#include "cli/mcp/standard_io.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;

}  // namespace

StandardIo::StandardIo(int input, int output)
    : input_(input), output_(output), stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (!stop_) throw std::system_error(errno, std::generic_category(), "eventfd");
}

// False after stop().
bool StandardIo::wait(int fd, short events) const {
  std::array<pollfd, 2> polled = {{{fd, events, 0}, {stop_.get(), POLLIN, 0}}};
  while (::poll(polled.data(), polled.size(), -1) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
  }
  return polled[1].revents == 0;
}

std::optional<std::string> StandardIo::read() const {
  std::string bytes(kReadBytes, '\0');
  while (wait(input_, POLLIN)) {
    const ssize_t count = ::read(input_, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }
  return std::nullopt;
}

bool StandardIo::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    if (!wait(output_, POLLOUT)) return false;
    // A writable pipe accepts PIPE_BUF bytes without blocking.
    const ssize_t count =
        ::write(output_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void StandardIo::stop() const {
  const std::uint64_t one = 1;
  const ssize_t written = ::write(stop_.get(), &one, sizeof(one));
  static_cast<void>(written);  // fails only if it is signalled already
}

}  // namespace oriel
