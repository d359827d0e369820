#include "runtime/task_group.h"

#include "base/log_capture_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>

#include <stdexcept>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Not;

asio::awaitable<void> wait_for_ever(bool& was_cancelled) {
  asio::steady_timer timer(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  try {
    co_await timer.async_wait(asio::use_awaitable);
  } catch (const boost::system::system_error& error) {
    was_cancelled = error.code() == asio::error::operation_aborted;
    throw;
  }
}

asio::awaitable<void> yield_then_count(int& count) {
  co_await asio::post(asio::use_awaitable);
  ++count;
}

asio::awaitable<void> fail(std::string message) {
  co_await asio::post(asio::use_awaitable);
  throw std::runtime_error(message);
}

asio::awaitable<void> note_joined(TaskGroup& group, bool& is_joined) {
  co_await group.joined();
  is_joined = true;
}

asio::awaitable<void> cancel_and_join(TaskGroup& group) {
  group.cancel();
  co_await group.joined();
}

TEST(TaskGroup, JoinsOnceItsTasksHaveEnded) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  int count = 0;
  group.spawn("one", yield_then_count(count));
  group.spawn("two", yield_then_count(count));
  EXPECT_EQ(group.size(), 2U);
  bool is_joined = false;
  asio::co_spawn(io, note_joined(group, is_joined), asio::detached);
  io.run();
  EXPECT_TRUE(is_joined);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(group.size(), 0U);
}

TEST(TaskGroup, JoinsAtOnceWhenItIsEmpty) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  bool is_joined = false;
  asio::co_spawn(io, note_joined(group, is_joined), asio::detached);
  io.run();
  EXPECT_TRUE(is_joined);
}

TEST(TaskGroup, JoinsSeveralWhoWait) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  int count = 0;
  group.spawn("one", yield_then_count(count));
  bool first = false;
  bool second = false;
  asio::co_spawn(io, note_joined(group, first), asio::detached);
  asio::co_spawn(io, note_joined(group, second), asio::detached);
  io.run();
  EXPECT_TRUE(first && second);
}

TEST(TaskGroup, DoesNotJoinWhileATaskRuns) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  bool was_cancelled = false;
  bool is_joined = false;
  group.spawn("wait", wait_for_ever(was_cancelled));
  asio::co_spawn(io, note_joined(group, is_joined), asio::detached);
  io.poll();
  EXPECT_FALSE(is_joined);
  group.cancel();
  io.run();
  EXPECT_TRUE(is_joined);
}

TEST(TaskGroup, CancelEndsTheWaitOfEveryTask) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  bool first = false;
  bool second = false;
  group.spawn("first", wait_for_ever(first));
  group.spawn("second", wait_for_ever(second));
  io.poll();
  asio::co_spawn(io, cancel_and_join(group), asio::detached);
  io.run();
  EXPECT_TRUE(first && second);
}

TEST(TaskGroup, CancelEndsATaskThatHasNotBegun) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  bool was_cancelled = false;
  group.spawn("wait", wait_for_ever(was_cancelled));
  group.cancel();
  io.run();
  EXPECT_EQ(group.size(), 0U);
}

TEST(TaskGroup, TakesNewTasksAfterACancel) {
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  group.cancel();
  int count = 0;
  group.spawn("later", yield_then_count(count));
  io.run();
  EXPECT_EQ(count, 1);
}

TEST(TaskGroup, LogsAFailureUnderTheTasksNameAndGoesOn) {
  const LogCapture capture;
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  int count = 0;
  group.spawn("the breaking one", fail("it broke"));
  group.spawn("the other", yield_then_count(count));
  io.run();
  EXPECT_THAT(capture.text(), HasSubstr("the breaking one: it broke"));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(group.size(), 0U);
}

TEST(TaskGroup, DoesNotLogACancellation) {
  const LogCapture capture;
  asio::io_context io(1);
  TaskGroup group(io.get_executor());
  bool was_cancelled = false;
  group.spawn("the cancelled one", wait_for_ever(was_cancelled));
  io.poll();
  group.cancel();
  io.run();
  EXPECT_TRUE(was_cancelled);
  EXPECT_THAT(capture.text(), Not(HasSubstr("the cancelled one")));
}

}  // namespace
}  // namespace oriel
