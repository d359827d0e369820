#pragma once
// Whatever waits for the outside world has a deadline.

#include "runtime/asio.h"

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <chrono>
#include <stdexcept>
#include <type_traits>

namespace oriel {

struct TimedOut : std::runtime_error {
  TimedOut() : std::runtime_error("timed out") {}
};

// Runs `work` for at most `limit`, else cancels it and throws TimedOut. Work that ignores
// cancellation is waited for. The result is moved many times on the way: not for hot loops.
template <class T>
asio::awaitable<T> with_deadline(std::chrono::steady_clock::duration limit,
                                 asio::awaitable<T> work) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer timer(co_await asio::this_coro::executor, limit);
  auto winner = co_await (std::move(work) || timer.async_wait(asio::use_awaitable));
  if (winner.index() == 1) throw TimedOut{};
  if constexpr (!std::is_void_v<T>) co_return std::get<0>(std::move(winner));
}

}  // namespace oriel
