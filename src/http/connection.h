#pragma once
// One connection and the requests that come over it, one after another, each within its limits of
// size and time.

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
      10'000};  // for a whole request head, from its first byte: 408
  std::chrono::milliseconds body_timeout{
      30'000};  // for a whole request body, or 256 KiB of one that is taken in pieces: 408
  std::chrono::milliseconds write_timeout{30'000};  // for a whole answer, or a piece of it
  std::chrono::milliseconds idle_timeout{75'000};   // between requests
};

// What all connections of a server share.
struct ConnectionContext {
  const Router& router;
  const AccessControl& access;
  ConnectionLimits limits;
  std::atomic<bool> is_stopping{false};
  std::atomic<std::uint64_t> requests{0};
};

// Lives on its shard, held by shared_ptr at least until its run() has returned.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Shard& shard, ConnectionContext& site, std::unique_ptr<Transport> transport);

  // Returns when the connection has ended or has become a stream.
  asio::awaitable<void> run();

  // Ends it at once if it waits for a request, else after its answer.
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
  ConnectionContext& site_;
  std::unique_ptr<Transport> transport_;
  RequestReader reader_;
  std::string peer_;
  asio::steady_timer timer_;  // looks now and then whether the deadline has passed
  Clock::time_point due_ = kNever;
  bool is_watched_ = false;  // the timer runs
  bool is_waiting_ = false;  // for the first byte of a request
  bool timed_out_ = false;
  bool is_broken_ = false;  // while a body came
};

}  // namespace oriel::http
