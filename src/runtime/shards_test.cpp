#include "runtime/shards.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>
#include <stdexcept>

namespace oriel {
namespace {

std::thread::id thread_of(Shard& shard) {
  std::packaged_task<std::thread::id()> ask([] { return std::this_thread::get_id(); });
  return asio::post(shard.executor(), std::move(ask)).get();
}

struct Visit {
  std::thread::id before;
  std::thread::id there;
  std::thread::id after;
};

asio::awaitable<Visit> visit(Shard& other) {
  Visit result;
  result.before = std::this_thread::get_id();
  auto ask = [] { return std::this_thread::get_id(); };
  result.there = co_await run_on(other.executor(), ask);
  result.after = std::this_thread::get_id();
  co_return result;
}

asio::awaitable<void> call_what_throws(Shard& other) {
  auto work = [] { throw std::logic_error("broke"); };
  co_await run_on(other.executor(), work);
}

asio::awaitable<bool> look_after_a_post(Shard& here) {
  bool is_done = false;
  asio::post(here.executor(), [&] { is_done = true; });
  auto look = [&] { return is_done; };
  co_return co_await run_on(here.executor(), look);
}

TEST(Shards, HaveOneThreadEach) {
  Shards shards(3);
  shards.start();
  std::set<std::thread::id> threads = {std::this_thread::get_id()};
  for (auto& shard : shards) {
    const auto thread = thread_of(*shard);
    EXPECT_EQ(thread_of(*shard), thread);
    threads.insert(thread);
  }
  EXPECT_EQ(threads.size(), 4U);
}

TEST(Shards, AreNumbered) {
  Shards shards(2);
  ASSERT_EQ(shards.size(), 2U);
  EXPECT_EQ(shards[0].index(), 0U);
  EXPECT_EQ(shards[1].index(), 1U);
}

TEST(Shards, RunNothingBeforeTheyStart) {
  Shards shards(1);
  std::atomic<bool> has_run{false};
  asio::post(shards[0].executor(), [&has_run] { has_run = true; });
  EXPECT_FALSE(has_run);
  shards.start();
  shards.join();
  EXPECT_TRUE(has_run);
}

TEST(Shards, FinishTheirWorkBeforeTheyJoin) {
  Shards shards(2);
  shards.start();
  int count = 0;
  asio::post(shards[0].executor(), [&] {
    asio::post(shards[0].executor(), [&] { ++count; });
    ++count;
  });
  shards.join();
  EXPECT_EQ(count, 2);
}

TEST(Shards, MayBeDestroyedWithoutHavingStarted) {
  const Shards shards(2);
  EXPECT_EQ(shards.size(), 2U);
}

TEST(RunOn, RunsThereAndResumesHere) {
  Shards shards(2);
  shards.start();
  auto answer = asio::co_spawn(shards[0].executor(), visit(shards[1]), asio::use_future);
  const Visit seen = answer.get();
  EXPECT_EQ(seen.before, thread_of(shards[0]));
  EXPECT_EQ(seen.there, thread_of(shards[1]));
  EXPECT_EQ(seen.after, seen.before);
}

TEST(RunOn, SeesWhatWasPostedBeforeAlsoOnItsOwnShard) {
  Shards shards(1);
  shards.start();
  auto look = look_after_a_post(shards[0]);
  EXPECT_TRUE(asio::co_spawn(shards[0].executor(), std::move(look), asio::use_future).get());
}

TEST(RunOn, PassesOnWhatTheWorkThrows) {
  Shards shards(2);
  shards.start();
  auto answer = asio::co_spawn(shards[0].executor(), call_what_throws(shards[1]), asio::use_future);
  EXPECT_THROW(answer.get(), std::logic_error);
}

}  // namespace
}  // namespace oriel
