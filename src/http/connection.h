#pragma once
// One client connection: reads requests one after another, each within limits of size and time, and
// writes their responses.

#include "http/access_control.h"
#include "http/request_reader.h"
#include "http/router.h"
#include "http/transport.h"
#include "runtime/shards.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace oriel::http {

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

// Shared by all connections of a server.
struct ConnectionContext {
  const Router& router;
  const AccessControl& access;
  ConnectionLimits limits;
  std::atomic<bool> is_stopping{false};
  std::atomic<std::uint64_t> requests{0};
};

// Lives on one shard; the caller holds the shared_ptr until run() has returned.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Shard& shard, ConnectionContext& context, std::unique_ptr<Transport> transport);

  // Returns when the connection has closed or has become a stream.
  asio::awaitable<void> run();

  // Closes an idle connection at once, a busy one after its response.
  void stop();

 private:
  using Clock = asio::steady_timer::clock_type;
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  asio::awaitable<void> serve();
  class Body;

  BodyLimit body_limit() const;
  asio::awaitable<bool> read_until(ReadState goal);
  asio::awaitable<void> read_more();
  asio::awaitable<BodyPart> read_piece();
  std::chrono::milliseconds limit_in(ReadState state) const;
  Response refusal_at(ReadState state);
  asio::awaitable<Response> answer(Request& request, FoundRoute& found);
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
  RequestReader reader_;
  std::string peer_;
  asio::steady_timer timer_;  // checks the deadline periodically
  Clock::time_point due_ = kNever;
  bool is_timer_running_ = false;
  bool is_idle_ = false;  // waiting for the first byte of a request
  bool timed_out_ = false;
  bool is_broken_ = false;  // the connection failed while a body was being read
};

}  // namespace oriel::http
