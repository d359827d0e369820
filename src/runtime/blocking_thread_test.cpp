#include "runtime/blocking_thread.h"

#include "runtime/task_group.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

namespace oriel {
namespace {

struct Places {
  std::thread::id caller;
  std::thread::id worker;
  std::thread::id resumed;
};

asio::awaitable<Places> note_places(BlockingThread& thread) {
  Places places;
  places.caller = std::this_thread::get_id();
  auto work = [] { return std::this_thread::get_id(); };
  places.worker = co_await thread.run(work);
  places.resumed = std::this_thread::get_id();
  co_return places;
}

asio::awaitable<std::string> call_with(BlockingThread& thread, std::string text) {
  auto work = [text] { return text + "!"; };
  co_return co_await thread.run(std::move(work));
}

asio::awaitable<void> call_nothing(BlockingThread& thread) {
  auto work = [] {};
  co_await thread.run(work);
}

asio::awaitable<void> call_what_throws(BlockingThread& thread) {
  auto work = [] { throw std::runtime_error("broke"); };
  co_await thread.run(work);
}

// `order` is touched by the blocking thread alone, so calls that overlap would be a data race.
asio::awaitable<void> append(BlockingThread& thread, std::vector<int>& order, int number) {
  auto work = [&order, number] { order.push_back(number); };
  co_await thread.run(work);
}

template <class T>
T run_on_a_shard(asio::awaitable<T> work) {
  Shards shards(1);
  shards.start();
  auto result = asio::co_spawn(shards[0].executor(), std::move(work), asio::use_future);
  return result.get();
}

TEST(BlockingThread, RunsOffTheShardAndResumesOnIt) {
  BlockingThread thread;
  const Places places = run_on_a_shard(note_places(thread));
  EXPECT_NE(places.worker, places.caller);
  EXPECT_EQ(places.resumed, places.caller);
}

TEST(BlockingThread, GivesTheResult) {
  BlockingThread thread;
  EXPECT_EQ(run_on_a_shard(call_with(thread, "a text that is too long for the small buffer")),
            "a text that is too long for the small buffer!");
}

TEST(BlockingThread, PassesOnWhatTheWorkThrows) {
  BlockingThread thread;
  EXPECT_THROW(run_on_a_shard(call_what_throws(thread)), std::runtime_error);
}

TEST(BlockingThread, RunsCallsOneAfterAnotherInOrder) {
  BlockingThread thread;
  std::vector<int> order;
  std::vector<int> expected;
  Shards shards(1);
  std::vector<std::future<void>> calls;
  for (int i = 0; i < 100; ++i) {
    calls.push_back(
        asio::co_spawn(shards[0].executor(), append(thread, order, i), asio::use_future));
    expected.push_back(i);
  }
  shards.start();
  for (auto& call : calls)
    call.get();
  EXPECT_EQ(order, expected);
}

asio::awaitable<void> cancel_while_it_waits(BlockingThread& thread) {
  for (int i = 0; i < 2000; ++i) {
    TaskGroup waiting(co_await asio::this_coro::executor);
    auto calling = call_nothing(thread);
    waiting.spawn("call", std::move(calling));
    if (i % 2 == 0) co_await asio::post(asio::use_awaitable);
    waiting.cancel();
    co_await waiting.joined();
  }
}

TEST(BlockingThread, WhoWaitsMayBeCancelledAtAnyMoment) {
  BlockingThread thread;
  run_on_a_shard(cancel_while_it_waits(thread));
}

asio::awaitable<Places> note_places_of_two(LazyThread& thread) {
  Places places;
  auto work = [] { return std::this_thread::get_id(); };
  places.worker = co_await thread.run(work);
  places.resumed = co_await thread.run(work);
  co_return places;
}

TEST(LazyThread, IsStartedByItsFirstCallAndKept) {
  LazyThread thread;
  EXPECT_FALSE(thread.is_running());
  const Places places = run_on_a_shard(note_places_of_two(thread));
  EXPECT_TRUE(thread.is_running());
  EXPECT_NE(places.worker, std::this_thread::get_id());
  EXPECT_EQ(places.worker, places.resumed);
}

asio::awaitable<std::string> release_during_a_call(LazyThread& thread) {
  auto work = [] { return std::string("a text that is too long for the small buffer"); };
  auto calling = thread.run(work);
  thread.release();
  std::string text = co_await std::move(calling);
  co_return text;
}

TEST(LazyThread, EndsAfterTheCallThatWaitsForIt) {
  LazyThread thread;
  EXPECT_EQ(run_on_a_shard(release_during_a_call(thread)),
            "a text that is too long for the small buffer");
  EXPECT_FALSE(thread.is_running());
}

}  // namespace
}  // namespace oriel
