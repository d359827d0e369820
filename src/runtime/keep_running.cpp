#include "runtime/keep_running.h"

#include "base/log.h"
#include "runtime/deadline.h"

#include <boost/asio/cancellation_state.hpp>

#include <utility>

namespace oriel {
namespace {

void log_restart(const std::string& name, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& thrown) {
    log()->error("{}: {}; restarting", name, thrown.what());
  }
}

}  // namespace

asio::awaitable<void> keep_running(std::string name, std::function<asio::awaitable<void>()> work,
                                   std::chrono::milliseconds pause) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (true) {
    auto running = work();
    const Outcome<void> outcome = co_await outcome_of(std::move(running));
    if (!outcome.failure) co_return;
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) std::rethrow_exception(outcome.failure);
    log_restart(name, outcome.failure);
    timer.expires_after(pause);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace oriel
