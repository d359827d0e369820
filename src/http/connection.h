#pragma once
// One client connection: reads requests one after another, each within limits of size and time, and
// writes their responses.

#include "http/access_control.h"
#include "http/request_reader.h"
#include "http/router.h"
#include "http/transport/transport.h"
#include "runtime/shards.h"

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace oriel::http {

class Connection;

// The connections of one shard that wait for a request, or for the rest of its head, longest first.
using IdleConnections = std::list<Connection*>;

struct ConnectionLimits {
  RequestLimits request;
  std::chrono::milliseconds header_timeout{
      10'000};  // whole request head, from its first byte; else 408
  std::chrono::milliseconds body_timeout{
      30'000};  // whole request body, or each 256 KiB of a streamed one; else 408
  std::chrono::milliseconds write_timeout{
      30'000};  // whole response, or one piece of a streamed body
  std::chrono::milliseconds idle_timeout{75'000};  // between requests
};

// Who is at the other end.
struct Peer {
  std::optional<std::uint32_t> user;  // as in Request
  std::string network;                // client_key() of its address and user
  bool is_own_user = false;           // the server's
};

enum class ConnectionPhase {
  kServing,
  kLastRequests,  // a response closes its connection; idle ones may still send a request
  kStopping,      // idle ones are closed
};

// Shared by all connections of a server.
struct ConnectionContext {
  const Router& router;
  const AccessControl& access;
  ConnectionLimits limits;
  std::atomic<ConnectionPhase> phase{ConnectionPhase::kServing};
  std::atomic<std::uint64_t> requests{0};
};

// Lives on one shard; the caller holds the shared_ptr until run() has returned. Enters and leaves
// `idle` by itself.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = asio::steady_timer::clock_type;

  Connection(Shard& shard, ConnectionContext& context, IdleConnections& idle,
             std::unique_ptr<Transport> transport, Peer peer);
  ~Connection();

  // Returns when the connection has closed or has become a stream.
  asio::awaitable<void> run();

  // Closes an idle connection, unless it has become idle after that time. A busy one closes after
  // its response.
  void stop(Clock::time_point idle_since = Clock::time_point::max());

  const std::string& network() const { return network_; }

  // Since when it has been idle.
  Clock::time_point idle_since() const { return idle_since_; }

  // Closes an idle connection and releases what Transport::keep() holds, at once.
  void evict();

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  class Body;

  asio::awaitable<void> serve();
  asio::awaitable<bool> serve_request();

  void enter_idle(ReadState state);
  void leave_idle();

  BodyLimit body_limit() const;
  asio::awaitable<bool> read_until(ReadState goal);
  asio::awaitable<void> read_more();
  asio::awaitable<BodyPart> read_piece();
  std::chrono::milliseconds limit_in(ReadState state) const;
  Response refusal_at(ReadState state);
  Headers common_headers(const Request& request) const;
  std::optional<Response> check_access(const FoundRoute& found);
  asio::awaitable<Response> answer(Request& request, RouteMatch& found);
  asio::awaitable<void> write(const Response& response, std::string head);
  asio::awaitable<void> write_source(const BodySource& source);
  asio::awaitable<void> refuse(Response response);
  void set_deadline(std::chrono::milliseconds limit);

  void clear_deadline() { due_ = kNever; }

  void watch_deadline();
  void check_deadline();

  Shard& shard_;
  ConnectionContext& context_;
  std::unique_ptr<Transport> transport_;
  IdleConnections& idle_;
  std::optional<IdleConnections::iterator> idle_place_;  // while it waits for a request's head
  ReadState idle_state_ = ReadState::kIdle;              // in which it entered
  Clock::time_point idle_since_;
  RequestReader reader_;
  std::string peer_;
  std::optional<std::uint32_t> peer_user_;
  std::string network_;
  asio::steady_timer timer_;  // checks the deadline periodically
  Clock::time_point due_ = kNever;
  bool is_timer_running_ = false;
  bool timed_out_ = false;
  bool is_broken_ = false;  // the connection failed while a body was being read
};

}  // namespace oriel::http
