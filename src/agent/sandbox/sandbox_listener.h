#pragma once
// Serves a loopback port inside a sandbox from outside.
//
// A sandbox has its own network with only loopback. oriel-sandbox-init listens there and passes the
// listening socket to Oriel through the `handover` socket, once. Oriel accepts the connections from
// outside, so no process inside has to forward them.

#include "base/error.h"
#include "posix/file_descriptor.h"
#include "runtime/asio.h"
#include "runtime/task_group.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <filesystem>
#include <functional>
#include <memory>

namespace oriel {

// Lives on one shard. Await stop() before destruction.
class SandboxListener {
 public:
  using Serve = std::function<asio::awaitable<void>(asio::ip::tcp::socket)>;

  // Starts to wait for a sandbox, then serves at most `max_connections` of its connections at a
  // time. Error: kCannotStart.
  static Result<std::unique_ptr<SandboxListener>> open(asio::any_io_executor shard,
                                                       std::size_t max_connections, Serve serve);
  ~SandboxListener();
  SandboxListener(const SandboxListener&) = delete;
  SandboxListener& operator=(const SandboxListener&) = delete;

  // The Unix socket that receives the listening socket; removed afterwards.
  const std::filesystem::path& handover() const { return handover_; }

  // Ends all connections.
  asio::awaitable<void> stop();

 private:
  SandboxListener(asio::any_io_executor shard, std::size_t max_connections, Serve serve,
                  std::filesystem::path directory);

  asio::awaitable<void> run();
  asio::awaitable<void> accept(asio::ip::tcp::acceptor& listener);
  asio::awaitable<FileDescriptor> take_listener();

  asio::any_io_executor shard_;
  std::size_t max_connections_;
  Serve serve_;
  std::filesystem::path directory_;  // private; holds the handover socket
  std::filesystem::path handover_;
  asio::local::stream_protocol::acceptor acceptor_;
  TaskGroup tasks_;
};

}  // namespace oriel
