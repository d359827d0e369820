#pragma once
// A connection to the NATS servers of a cluster: publish, subscribe, request. Reconnects by itself.

#include "base/error.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// How to reach the servers. Credentials: at most one kind; user and password may be in the URLs.
struct NatsOptions {
  std::vector<std::string> servers;        // "nats://host:4222", "tls://..."
  std::string name = {};                   // of this client, for people who look at the server
  std::filesystem::path credentials = {};  // a .creds file, or the seed of an nkey
  std::filesystem::path ca = {};           // the certificates that the servers' are checked against
};

// A message as it arrived.
struct NatsMessage {
  std::string subject;
  std::string reply;  // where an answer goes; empty: nowhere
  std::string body;
  std::uint64_t stream_sequence = 0;  // where a stream has stored it that repeats it; 0: nowhere
  bool is_no_responders = false;      // nobody handles the subject of a request
};

// Safe from any thread. Handlers run on threads of the library and must return at once: they copy
// what they need into a bounded queue. What is not connected is connected again, for ever.
class NatsConnection {
 public:
  using Handler = std::function<void(NatsMessage)>;

  // Connects; waits for a server, at most for `deadline`. Throws std::runtime_error: an option is
  // wrong, or a file cannot be read. Whether a server has answered: see problem().
  NatsConnection(NatsOptions options, std::chrono::milliseconds deadline);

  // Ends all subscriptions and waits until no handler runs.
  ~NatsConnection();
  NatsConnection(const NatsConnection&) = delete;
  NatsConnection& operator=(const NatsConnection&) = delete;

  // False: not connected, or the message is too large. Nothing is kept for later. Blocks while the
  // server reads nothing, at most for a second: do not call it on a shard.
  bool publish(const std::string& subject, std::string_view body, const std::string& reply = {});

  // For the life of the connection: libnats 3.4 must not destroy a subscription while messages
  // arrive. `max_pending_bytes` limits what waits in the library; what exceeds it is lost.
  void subscribe(const std::string& subject, Handler handler, std::size_t max_pending_bytes);

  // Blocks. Error: kNodeUnreachable.
  Result<NatsMessage> request(const std::string& subject, std::string_view body,
                              std::chrono::milliseconds deadline);

  // Adds a function that is called on a thread of its own or the library's each time the connection
  // is there again, also for the first time.
  void on_connected(std::function<void()> handler);

  bool is_connected() const;
  bool wait_connected(std::chrono::milliseconds deadline) const;  // blocks

  // Why there is no connection; none if there is one.
  std::optional<std::string> problem() const;

  // Why the servers refuse this client's credentials; none if they do not, or have not been
  // reached.
  std::optional<std::string> refusal() const;

  std::size_t max_payload() const;  // of a message, as the server limits it

  // Of the server that this is connected to; empty: unknown. Blocks.
  std::string server_version();

  static std::string new_inbox();  // a subject for answers that nobody else uses

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace oriel
