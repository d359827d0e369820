#pragma once
// The running server's side of a takeover, while it serves: a socket in its data directory, where a
// new process of the same user asks for the listeners.

#include "posix/file_descriptor.h"
#include "posix/socket_file.h"
#include "runtime/asio.h"
#include "server/takeover/takeover_messages.h"

#include <boost/asio/local/stream_protocol.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

constexpr const char* kTakeoverSocket = "takeover.sock";  // in the data directory

// Sent to a new process.
struct Handout {
  TakeoverOffer offer;
  std::vector<int> listeners;  // as TakeoverOffer says
};

// A new process that has the listeners and asks this server to drain.
struct Successor {
  FileDescriptor connection;
  DrainRequest request;
};

// Lives on one shard. Removes its file when destroyed.
class HandoverSocket {
 public:
  // Listens; the file has mode 0600. Throws std::runtime_error with the reason.
  HandoverSocket(asio::any_io_executor shard, const std::filesystem::path& file,
                 std::function<Handout()> handout);

  // Answers new processes, one after another, until one asks this server to drain. Only processes
  // of the server's own user get anything.
  asio::awaitable<Successor> next();

 private:
  using Socket = asio::local::stream_protocol::socket;

  asio::awaitable<std::optional<Successor>> negotiate(Socket socket);

  asio::local::stream_protocol::acceptor acceptor_;
  SocketFile file_;  // goes before the acceptor is closed
  std::function<Handout()> handout_;
};

// Blocks. Lets the successor open the journal, which this process has closed, and returns whether
// it reports that it serves. False once it has gone away, or after that time.
bool await_successor(const FileDescriptor& connection, std::chrono::milliseconds within);

}  // namespace oriel
