#include "runtime/keep_running.h"

#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <gtest/gtest.h>

#include <new>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kNoPause{0};

asio::awaitable<void> fail_twice(int& runs) {
  if (++runs < 3) throw std::bad_alloc();
  co_return;
}

asio::awaitable<void> wait_in_vain(Condition& never, int& runs) {
  ++runs;
  while (true)
    co_await never.wait();
}

TEST(KeepRunning, BeginsAgainAfterAFailure) {
  asio::io_context io(1);
  TaskGroup tasks(io.get_executor());
  int runs = 0;
  auto work = [&runs] { return fail_twice(runs); };
  tasks.spawn("kept", keep_running("kept", work, kNoPause));
  io.run();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(tasks.size(), 0U);
}

TEST(KeepRunning, EndsWhenItIsCancelled) {
  asio::io_context io(1);
  TaskGroup tasks(io.get_executor());
  Condition never(io.get_executor());
  int runs = 0;
  auto work = [&] { return wait_in_vain(never, runs); };
  tasks.spawn("kept", keep_running("kept", work, kNoPause));
  io.poll();
  tasks.cancel();
  io.run();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
}  // namespace oriel
