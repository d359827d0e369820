#include "runtime/run_or_abort.h"

#include "runtime/shards.h"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace oriel {
namespace {

class RunOrAbortDeathTest : public testing::Test {
 protected:
  // Threads that exist when the process forks would be missing in the child.
  RunOrAbortDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(RunOrAbortDeathTest, AnExceptionEndsTheProcessWithItsReason) {
  const auto fail = [] { throw std::bad_alloc(); };
  EXPECT_DEATH(run_or_abort("worker", fail), "thread worker failed: std::bad_alloc");
}

TEST_F(RunOrAbortDeathTest, WorkThatReturnsEndsNothing) {
  bool has_run = false;
  run_or_abort("worker", [&] { has_run = true; });
  EXPECT_TRUE(has_run);
}

TEST_F(RunOrAbortDeathTest, AnExceptionOnAShardEndsTheProcessWithItsReason) {
  const auto run_shard = [] {
    Shards shards(1);
    shards.start();
    asio::post(shards[0].executor(), [] { throw std::runtime_error("broke"); });
    shards.join();
  };
  EXPECT_DEATH(run_shard(), "thread shard-0 failed: broke");
}

}  // namespace
}  // namespace oriel
