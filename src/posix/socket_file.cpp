#include "posix/socket_file.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

constexpr mode_t kOwnUserOnly = S_IRUSR | S_IWUSR;

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

sockaddr_un socket_address(const std::filesystem::path& path) {
  const std::string& text = path.native();
  if (text.size() > kMaxSocketPath) {
    throw std::runtime_error("the path has " + std::to_string(text.size()) +
                             " bytes, and that of a socket at most " +
                             std::to_string(kMaxSocketPath));
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, text.data(), text.size());
  return address;
}

// 0, or the error.
int bind_to(const sockaddr_un& address, int socket) {
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  return ::bind(socket, generic, sizeof address) == 0 ? 0 : errno;
}

// What a client gets: 0, or the error. Never waits.
int try_to_connect(const sockaddr_un& address) {
  const FileDescriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!client) return errno;
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(client.get(), generic, sizeof address) == 0 ? 0 : errno;
}

// Throws unless the file is the socket of a server that has died.
void remove_stale(const sockaddr_un& address) {
  struct stat found {};

  if (::lstat(address.sun_path, &found) != 0) {
    if (errno == ENOENT) return;  // gone meanwhile
    throw std::runtime_error(reason_of(errno));
  }
  if (!S_ISSOCK(found.st_mode)) throw std::runtime_error("the path exists and is not a socket");
  const int refusal = try_to_connect(address);
  if (refusal == 0 || refusal == EAGAIN)  // EAGAIN: its queue is full
    throw std::runtime_error("another server listens on it");
  if (refusal != ECONNREFUSED) throw std::runtime_error(reason_of(refusal));
  if (::unlink(address.sun_path) != 0)
    throw std::runtime_error("cannot remove the socket of a dead server: " + reason_of(errno));
}

FileDescriptor listen_at(const sockaddr_un& address) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // The file gets the socket's own mode, so that there is no moment when others may connect.
  if (!socket || ::fchmod(socket.get(), kOwnUserOnly) != 0)
    throw std::runtime_error(reason_of(errno));
  int error = bind_to(address, socket.get());
  if (error == EADDRINUSE) {
    remove_stale(address);
    error = bind_to(address, socket.get());
  }
  if (error != 0) throw std::runtime_error(reason_of(error));
  if (::listen(socket.get(), SOMAXCONN) != 0) throw std::runtime_error(reason_of(errno));
  return socket;
}

}  // namespace

SocketFile::SocketFile(std::filesystem::path path)
    : path_(std::move(path)), listener_(listen_at(socket_address(path_))) {
  identify();
}

SocketFile::SocketFile(std::filesystem::path path, FileDescriptor listener)
    : path_(std::move(path)), listener_(std::move(listener)), is_owned_(false) {
  identify();
}

void SocketFile::identify() {
  struct stat found {};

  if (::lstat(path_.c_str(), &found) != 0) throw std::runtime_error(reason_of(errno));
  if (!S_ISSOCK(found.st_mode)) throw std::runtime_error("the path is not a socket");
  device_ = found.st_dev;
  inode_ = found.st_ino;
}

SocketFile::~SocketFile() {
  if (!is_owned_) return;

  struct stat now {};

  const bool is_ours =
      ::lstat(path_.c_str(), &now) == 0 && now.st_dev == device_ && now.st_ino == inode_;
  if (is_ours) ::unlink(path_.c_str());
}

}  // namespace oriel
