#include "posix/service/service_manager.h"

#include "base/log.h"
#include "posix/file_descriptor.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace oriel {

void ServiceManager::reloading(std::chrono::microseconds monotonic_time) const {
  report("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_time.count()));
}

void ServiceManager::report(std::string_view state) const {
  if (socket_.empty()) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof address.sun_path) {
    log()->warn("NOTIFY_SOCKET: {} is longer than {} bytes", socket_, sizeof address.sun_path - 1);
    return;
  }
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  const bool is_abstract = socket_.front() == '@';
  if (is_abstract) address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size() +
                                           (is_abstract ? 0 : 1));
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  const ssize_t sent = ::sendto(socket.get(), state.data(), state.size(),
                                MSG_DONTWAIT | MSG_NOSIGNAL, generic, size);
  const int error = errno;
  if (sent < 0) log()->warn("cannot report to NOTIFY_SOCKET {}: {}", socket_, std::strerror(error));
}

}  // namespace oriel
