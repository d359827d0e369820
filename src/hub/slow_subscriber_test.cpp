// Subscribers that take frames more slowly than they come.

#include "hub/hub_testing.h"

#include <random>

namespace oriel {
namespace {

// Some are larger than a small queue.
asio::awaitable<void> publish_many_sizes(HubFixture& fixture, int count, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) {
    std::string text(i % 50 == 0 ? 5000 : random() % 300, 'x');
    co_await fixture.publish("tick", "", std::move(text));
  }
}

TEST(R_SSE_4, ASlowReaderReadsTheJournalFromItsLimitOnAndDoesNotAffectOthers) {
  HubFixture fixture({.max_bytes = 64 << 20});
  HubReader slow(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  HubReader fast(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  slow.pause();
  for (int i = 0; i < 200; ++i)
    fixture.publish_now("tick");
  EXPECT_EQ(fast.wait_for(200), range(1, 200));
  slow.wait_for_state(SubscriptionState::kReplaying);
  EXPECT_LE(slow.queued_bytes(), 4000U);
  EXPECT_EQ(fixture.hub(0).counts().demotions, 1U);
  slow.resume();
  EXPECT_EQ(slow.wait_for(200), range(1, 200));
  slow.wait_for_state(SubscriptionState::kLive);
  fixture.publish_now("tick");
  EXPECT_EQ(slow.wait_for(201), range(1, 201));
}

TEST(R_SSE_4, WhatRetentionRemovesBeforeASlowReaderReachesItIsAGap) {
  HubFixture fixture({.max_bytes = 64 << 20, .max_events_per_session = 10});
  HubReader slow(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 4000});
  HubReader fast(fixture, 0, {});
  slow.pause();
  for (int i = 0; i < 200; ++i)
    fixture.publish_now("tick", "ses_a");
  EXPECT_EQ(fast.wait_for(200).size(), 200U);
  slow.wait_for_state(SubscriptionState::kReplaying);
  slow.resume();
  slow.wait_for_state(SubscriptionState::kLive);
  std::vector<Sequence> received = slow.wait_for(1);
  ASSERT_GT(received.size(), 10U);
  const Sequence queued = received.size() - 10;
  std::vector<Sequence> expected = range(1, queued);
  for (const Sequence held : range(191, 200))
    expected.push_back(held);
  EXPECT_EQ(received, expected);
  EXPECT_EQ(slow.gaps(), std::vector<std::uint64_t>{190 - queued});
}

TEST(R_SSE_4, AReaderOfAnyPaceReceivesEachSequenceOnceAndRising) {
  constexpr int kFirst = 60;
  constexpr int kMore = 1200;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    HubFixture fixture({.max_bytes = 64 << 20}, {.max_page_bytes = 1500});
    HubReader reader(fixture, seed % 2, {.filter = {}, .after = 0, .max_queued_bytes = 3000},
                     seed % 3);
    reader.pause();
    for (int i = 0; i < kFirst; ++i)
      fixture.publish_now("tick");
    reader.wait_for_state(SubscriptionState::kReplaying);
    auto publishing = asio::co_spawn(fixture.shard(1).executor(),
                                     publish_many_sizes(fixture, kMore, seed), asio::use_future);
    const auto deadline = std::chrono::steady_clock::now() + kHubPatience;
    while (reader.count() < kFirst + kMore && std::chrono::steady_clock::now() < deadline) {
      switch (random() % 8) {
        case 0:
          reader.resume();
          break;
        case 1:
          reader.pause();
          break;
        default:
          reader.take_some(random() % 9);
      }
    }
    publishing.get();
    reader.resume();
    EXPECT_EQ(reader.wait_for(kFirst + kMore), range(1, kFirst + kMore));
    EXPECT_EQ(reader.gaps(), std::vector<std::uint64_t>{});
    reader.wait_for_state(SubscriptionState::kLive);
  }
}

TEST(R_SSE_4, AnEventLargerThanTheQueueIsAcceptedByAnEmptyQueue) {
  HubFixture fixture({.max_bytes = 64 << 20});
  HubReader reader(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 1000});
  fixture.publish_now("huge", "", std::string(100'000, 'x'));
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
}

TEST(R_SSE_4, AnEventLargerThanTheQueueReachesAReaderThatIsBehind) {
  HubFixture fixture({.max_bytes = 64 << 20});
  HubReader reader(fixture, 0, {.filter = {}, .after = 0, .max_queued_bytes = 1000});
  reader.pause();
  fixture.publish_now("tick");
  fixture.publish_now("huge", "", std::string(100'000, 'x'));
  fixture.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(3), range(1, 3));
  reader.wait_for_state(SubscriptionState::kLive);
}

TEST(R_SSE_10, AReplayWaitsForASlowReaderInsteadOfOverflowing) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_page_bytes = 1000});
  for (int i = 0; i < 300; ++i)
    fixture.publish_now("tick");
  HubReader reader(fixture, 1, {.filter = {}, .after = 1, .max_queued_bytes = 4000});
  reader.pause();
  for (int i = 0; i < 100; ++i)
    fixture.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(399), range(2, 400));
}

}  // namespace
}  // namespace oriel
