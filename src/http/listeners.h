#pragma once
// The listening sockets of a server. They can outlive it, so that another one goes on with them.

#include "posix/file_descriptor.h"
#include "posix/socket_file.h"
#include "runtime/asio.h"

#include <boost/asio/ip/tcp.hpp>

#include <filesystem>
#include <memory>

namespace oriel::http {

struct Listeners {
  FileDescriptor tcp;
  FileDescriptor unix_socket;
  std::unique_ptr<SocketFile> socket_file;  // null: nobody's, or somebody else's to remove
};

// Binds and listens wherever `given` does not; an empty path means no Unix socket. Throws
// std::runtime_error with the address or file and the remedy.
Listeners listen(Listeners given, const asio::ip::tcp::endpoint& address,
                 const std::filesystem::path& socket);

}  // namespace oriel::http
