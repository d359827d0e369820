#include "cli/mcp/line_queue.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(LineQueue, ReturnsAllLinesInOrderAndThenTheEnd) {
  asio::io_context io(1);
  LineQueue queue(io.get_executor(), 100);
  queue.push("one");
  queue.push("two");
  queue.close();
  auto first = asio::co_spawn(io, queue.take(), asio::use_future);
  auto second = asio::co_spawn(io, queue.take(), asio::use_future);
  io.run();
  EXPECT_EQ(first.get(), "one\ntwo\n");
  EXPECT_EQ(second.get(), "");
}

TEST(LineQueue, HasNoSpaceUntilItsLinesAreTaken) {
  asio::io_context io(1);
  LineQueue queue(io.get_executor(), 4);
  queue.push("line");
  auto waiting = asio::co_spawn(io, queue.wait_for_space(), asio::use_future);
  io.poll();
  EXPECT_EQ(waiting.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  auto taken = asio::co_spawn(io, queue.take(), asio::use_future);
  io.run();
  EXPECT_EQ(waiting.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(taken.get(), "line\n");
}

}  // namespace
}  // namespace oriel
