#pragma once
// Gives a hosted session of the demo agent one task after another, and polls its events.

#include "client/server_access.h"
#include "runtime/asio.h"
#include "verify/evidence.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

namespace oriel {

// Lives on one shard. run() must have ended before destruction.
class SessionDriver {
 public:
  // `name` is unique in this run. With long tasks, every other one takes two seconds.
  SessionDriver(ServerAccess server, std::string name, bool has_long_tasks, Ledger& ledger);

  // Works until stop().
  asio::awaitable<void> run();

  void stop() { is_stopping_ = true; }

  // Polls until every task has ended and no event is left, or nothing has come for a while.
  asio::awaitable<void> finish();

  const PolledSession& polled() const { return polled_; }  // without an id before the first answer

 private:
  asio::awaitable<boost::json::object> post(std::string target, boost::json::object body);
  asio::awaitable<void> create();
  asio::awaitable<void> work();
  asio::awaitable<bool> poll(std::chrono::milliseconds wait);
  void take(const boost::json::object& page);

  ServerAccess server_;
  std::string name_;
  bool has_long_tasks_;
  Ledger& ledger_;
  PolledSession polled_;
  std::uint64_t tasks_ = 0;
  std::set<std::string> open_tasks_;  // acknowledged, and not known to have ended
  bool is_stopping_ = false;
};

}  // namespace oriel
