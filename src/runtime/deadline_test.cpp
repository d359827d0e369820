#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

using namespace std::chrono_literals;

template <class T>
T run(asio::awaitable<T> work) {
  asio::io_context io(1);
  auto result = asio::co_spawn(io, std::move(work), asio::use_future);
  io.run();
  return result.get();
}

asio::awaitable<std::string> quick() {
  co_await asio::post(asio::use_awaitable);
  co_return "done";
}

asio::awaitable<void> quick_without_result(bool& is_done) {
  co_await asio::post(asio::use_awaitable);
  is_done = true;
}

asio::awaitable<void> failing() {
  co_await asio::post(asio::use_awaitable);
  throw std::logic_error("broke");
}

asio::awaitable<void> endless(bool& was_cancelled) {
  asio::steady_timer timer(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  const auto [ec] = co_await timer.async_wait(kNoThrow);
  was_cancelled = ec == asio::error::operation_aborted;
}

asio::awaitable<void> endless_that_throws(bool& was_cancelled) {
  co_await endless(was_cancelled);
  if (was_cancelled) throw std::runtime_error("cancelled");
}

TEST(WithDeadline, GivesTheResultOfWorkThatIsInTime) {
  EXPECT_EQ(run(with_deadline(1h, quick())), "done");
}

TEST(WithDeadline, RunsWorkWithoutResult) {
  bool is_done = false;
  run(with_deadline(1h, quick_without_result(is_done)));
  EXPECT_TRUE(is_done);
}

TEST(WithDeadline, CancelsWorkThatIsLateAndThrows) {
  bool was_cancelled = false;
  EXPECT_THROW(run(with_deadline(1ms, endless(was_cancelled))), TimedOut);
  EXPECT_TRUE(was_cancelled);
}

TEST(WithDeadline, PassesOnWhatTheWorkThrows) {
  EXPECT_THROW(run(with_deadline(1h, failing())), std::logic_error);
}

TEST(WithDeadline, PassesOnACancellationFromOutside) {
  bool was_cancelled = false;
  auto inner = with_deadline(1h, endless_that_throws(was_cancelled));
  EXPECT_THROW(run(with_deadline(1ms, std::move(inner))), TimedOut);
  EXPECT_TRUE(was_cancelled);
}

TEST(WithDeadline, MayBeNested) {
  bool was_cancelled = false;
  auto inner = with_deadline(1ms, endless(was_cancelled));
  EXPECT_THROW(run(with_deadline(1h, std::move(inner))), TimedOut);
  EXPECT_TRUE(was_cancelled);
}

}  // namespace
}  // namespace oriel
