#pragma once
// Deadlines for everything that waits on the outside.

#include "runtime/asio.h"

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <variant>

namespace oriel {

struct TimedOut : std::runtime_error {
  TimedOut() : std::runtime_error("timed out") {}
};

// The result of a coroutine, or its exception.
template <class T>
struct Outcome {
  std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> result;
  std::exception_ptr failure;
};

template <class T>
asio::awaitable<Outcome<T>> outcome_of(asio::awaitable<T> work) {
  Outcome<T> outcome;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(work);
    } else {
      T result = co_await std::move(work);
      outcome.result = std::move(result);
    }
  } catch (...) {
    outcome.failure = std::current_exception();
  }
  co_return outcome;
}

// Runs `work` for at most `limit`, else cancels it and throws TimedOut. Waits for work
// that ignores cancellation. Not for hot loops: the result is moved several times.
template <class T>
asio::awaitable<T> with_deadline(std::chrono::steady_clock::duration limit,
                                 asio::awaitable<T> work) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer timer(co_await asio::this_coro::executor, limit);
  // `||` waits for a success, so a failure must be wrapped to end the wait.
  auto settled = outcome_of(std::move(work));
  auto winner = co_await (std::move(settled) || timer.async_wait(asio::use_awaitable));
  if (winner.index() == 1) throw TimedOut{};
  Outcome<T> outcome = std::get<0>(std::move(winner));
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  if constexpr (!std::is_void_v<T>) co_return std::move(*outcome.result);
}

}  // namespace oriel
