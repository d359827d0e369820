#include "runtime/signals.h"

#include "runtime/task_group.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <vector>

namespace oriel {
namespace {

asio::awaitable<void> collect(Signals& signals, std::vector<int>& seen) {
  while (true) {
    const int number = co_await signals.next();
    seen.push_back(number);
  }
}

TEST(Signals, GivesEachOfItsSignals) {
  for (const int number : {SIGINT, SIGTERM}) {
    asio::io_context io(1);
    Signals signals(io.get_executor(), {SIGINT, SIGTERM});
    auto next = asio::co_spawn(io, signals.next(), asio::use_future);
    std::raise(number);
    io.run();
    EXPECT_EQ(next.get(), number);
  }
}

TEST(Signals, KeepsASignalThatCameBeforeItWasAwaited) {
  asio::io_context io(1);
  Signals signals(io.get_executor(), {SIGINT, SIGTERM});
  std::raise(SIGTERM);
  auto next = asio::co_spawn(io, signals.next(), asio::use_future);
  io.run();
  EXPECT_EQ(next.get(), SIGTERM);
}

TEST(Signals, GivesASecondSignalToo) {
  asio::io_context io(1);
  Signals signals(io.get_executor(), {SIGINT, SIGTERM});
  TaskGroup group(io.get_executor());
  std::vector<int> seen;
  group.spawn("signals", collect(signals, seen));
  io.poll();
  std::raise(SIGTERM);
  while (seen.empty())
    io.run_one();
  std::raise(SIGINT);
  while (seen.size() < 2)
    io.run_one();
  EXPECT_EQ(seen, (std::vector{SIGTERM, SIGINT}));
  group.cancel();
  io.run();
  EXPECT_EQ(group.size(), 0U) << "a cancelled wait ends";
}

}  // namespace
}  // namespace oriel
