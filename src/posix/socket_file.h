#pragma once
// The file of a Unix stream socket that a server listens on.

#include "posix/file_descriptor.h"

#include <sys/types.h>
#include <sys/un.h>

#include <cstddef>
#include <filesystem>

namespace oriel {

// The longest path of a socket, in bytes.
constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;

// The destructor removes the file unless another one has replaced it. Keep the listener open until
// then.
class SocketFile {
 public:
  // Binds and listens. Only this user may connect: the file has mode 0600 from the start. Replaces
  // the file of a dead server. Throws std::runtime_error with the reason if the path is too long,
  // belongs to a running server or is not a socket.
  explicit SocketFile(std::filesystem::path path);

  // The file of a socket that another process has bound. It stays until own() is called. Throws
  // std::runtime_error if the path is not a socket.
  SocketFile(std::filesystem::path path, FileDescriptor listener);
  ~SocketFile();
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  // Returns the listening socket. Call once.
  FileDescriptor take_listener() { return std::move(listener_); }

  // From now on the destructor removes the file.
  void own() { is_owned_ = true; }

  // Leaves the file to another process.
  void disown() { is_owned_ = false; }

 private:
  void identify();

  std::filesystem::path path_;
  FileDescriptor listener_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool is_owned_ = true;
};

}  // namespace oriel
