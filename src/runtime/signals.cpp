#include "runtime/signals.h"

#include <csignal>

namespace oriel {

StopSignals::StopSignals(asio::any_io_executor shard) : signals_(shard, SIGINT, SIGTERM) {}

asio::awaitable<int> StopSignals::next() {
  co_return co_await signals_.async_wait(asio::use_awaitable);
}

}  // namespace oriel
