#include "runtime/signals.h"

namespace oriel {

Signals::Signals(asio::any_io_executor shard, std::initializer_list<int> numbers)
    : signals_(shard) {
  for (const int number : numbers)
    signals_.add(number);
}

asio::awaitable<int> Signals::next() {
  co_return co_await signals_.async_wait(asio::use_awaitable);
}

}  // namespace oriel
