#pragma once
// The new process's side of a takeover: it gets the listeners of the running server, has it drain,
// and goes on where it ended. Blocks; all before the threads start.

#include "http/listeners.h"
#include "posix/file_descriptor.h"
#include "server/takeover/takeover_messages.h"

#include <boost/asio/ip/tcp.hpp>

#include <filesystem>
#include <optional>

namespace oriel {

class Takeover {
 public:
  // Asks the server that runs with this data directory. None if no server runs. Throws
  // std::runtime_error if it refuses, or if its journal is newer than this program.
  static std::optional<Takeover> begin(std::filesystem::path data_dir);

  const TakeoverOffer& offer() const { return offer_; }

  // The running server's listeners that are at these addresses. Both processes have them now, and
  // only the running server accepts. Call once.
  http::Listeners take_listeners(const asio::ip::tcp::endpoint& address,
                                 const std::filesystem::path& socket);

  // Has the server stop serving, and returns when its journal can be opened. From here on, either
  // ready() is called or this process ends, and the other one serves again. Throws
  // std::runtime_error if it takes too long.
  void drain();

  // The other process exits.
  void ready();

 private:
  Takeover(std::filesystem::path data_dir, FileDescriptor connection);

  void ask();

  std::filesystem::path data_dir_;
  FileDescriptor connection_;
  TakeoverOffer offer_;
  FileDescriptor tcp_;
  FileDescriptor unix_socket_;
  bool takes_socket_file_ = false;
};

}  // namespace oriel
