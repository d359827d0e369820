#pragma once
// Looks up the user of a local peer. The kernel answers (NETLINK_SOCK_DIAG, SO_PEERCRED), so a
// client cannot lie.

#include "posix/file_descriptor.h"
#include "runtime/asio.h"

#include <boost/asio/ip/tcp.hpp>
#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace oriel {

// Keeps one netlink socket; used on one thread. A look-up takes some microseconds and never blocks.
class SocketOwner {
 public:
  SocketOwner();

  // The user of the socket at `peer` that is connected to `local`. None if it is on another
  // machine or in another network namespace, is already closed, or the kernel cannot say.
  std::optional<uid_t> user_of_peer(const asio::ip::tcp::endpoint& peer,
                                    const asio::ip::tcp::endpoint& local);

 private:
  FileDescriptor netlink_;
  std::uint32_t question_ = 0;
};

// The user who connected this Unix stream socket. None if it is another kind of socket.
std::optional<uid_t> user_of_unix_peer(int socket);

}  // namespace oriel
