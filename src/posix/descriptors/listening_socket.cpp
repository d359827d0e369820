#include "posix/descriptors/listening_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace oriel {
namespace {

Error other_kind(const char* what) {
  return {.kind = ErrorKind::kBadOption, .message = what, .hint = {}};
}

// -1 if it is not a socket.
int option_of(int socket, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

// Empty for an abstract or unnamed one.
std::filesystem::path path_of(int socket) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  if (size <= offsetof(sockaddr_un, sun_path)) return {};
  const std::size_t most = size - offsetof(sockaddr_un, sun_path);
  return std::string(address.sun_path, ::strnlen(address.sun_path, most));
}

}  // namespace

Result<ListeningAt> listening_at(int descriptor) {
  const int domain = option_of(descriptor, SO_DOMAIN);
  if (domain < 0) return other_kind("not a socket");
  if (option_of(descriptor, SO_TYPE) != SOCK_STREAM) return other_kind("not a stream socket");
  if (option_of(descriptor, SO_ACCEPTCONN) != 1) return other_kind("a socket that does not listen");
  ListeningAt at;
  if (domain == AF_UNIX) {
    at.path = path_of(descriptor);
    return at;
  }
  if (domain != AF_INET && domain != AF_INET6) return other_kind("neither a TCP nor a Unix socket");
  asio::ip::tcp::endpoint endpoint;
  auto size = static_cast<socklen_t>(endpoint.capacity());
  if (::getsockname(descriptor, endpoint.data(), &size) != 0)
    return other_kind("a socket without an address");
  endpoint.resize(size);
  at.tcp = endpoint;
  return at;
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  struct stat of_a {};

  struct stat of_b {};

  if (::stat(a.c_str(), &of_a) != 0 || ::stat(b.c_str(), &of_b) != 0) return false;
  return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

}  // namespace oriel
