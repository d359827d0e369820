#pragma once
// A condition variable for the coroutines of one shard.

#include "runtime/asio.h"

#include <boost/asio/cancellation_state.hpp>

namespace oriel {

// while (!is_so()) co_await condition.wait();
class Condition {
 public:
  explicit Condition(const asio::any_io_executor& shard)
      : timer_(shard, asio::steady_timer::time_point::max()) {}

  // Wakes all current waiters.
  void notify() { timer_.cancel(); }

  // Returns after notify(), or spuriously. Throws operation_aborted once cancelled.
  asio::awaitable<void> wait() {
    co_await timer_.async_wait(kNoThrow);
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      throw boost::system::system_error(asio::error::operation_aborted);
  }

 private:
  asio::steady_timer timer_;
};

}  // namespace oriel
