#include "hub/hub_testing.h"

#include <semaphore>

namespace oriel {
namespace {

using namespace std::chrono_literals;

asio::awaitable<void> publish_many(HubFixture& fixture, int count) {
  for (int i = 0; i < count; ++i)
    co_await fixture.publish("tick", "", std::to_string(i));
}

TEST(R_SSE_2, SequencesRiseForEveryReaderWhateverShardPublishes) {
  HubFixture fixture({.max_bytes = 64 << 20});
  HubReader first(fixture, 0, {});
  HubReader second(fixture, 1, {});
  HubReader live(fixture, 0, {}, 1000);
  HubReader live_and_queued(fixture, 1, {}, 2);
  constexpr int kPublishers = 8;
  constexpr int kEach = 250;
  std::vector<std::future<void>> published;
  for (int i = 0; i < kPublishers; ++i) {
    published.push_back(asio::co_spawn(fixture.shard(i % 2).executor(),
                                       publish_many(fixture, kEach), asio::use_future));
  }
  for (auto& one : published)
    one.get();
  EXPECT_EQ(first.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(second.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
  EXPECT_EQ(live.sent_live(), static_cast<std::size_t>(kPublishers * kEach));
  EXPECT_EQ(live_and_queued.wait_for(kPublishers * kEach), range(1, kPublishers * kEach));
}

TEST(R_SSE_10, ReplayJoinsLiveWithoutLossWhileOthersPublish) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_page_bytes = 2000});
  for (int i = 0; i < 100; ++i)
    fixture.publish_now("old");
  constexpr int kMore = 400;
  auto publishing =
      asio::co_spawn(fixture.shard(1).executor(), publish_many(fixture, kMore), asio::use_future);
  std::vector<std::unique_ptr<HubReader>> readers;
  for (Sequence after = 0; after < 100; after += 7) {
    readers.push_back(std::make_unique<HubReader>(
        fixture, after % 2, SubscribeOptions{.filter = {}, .after = after}, after % 3));
  }
  publishing.get();
  Sequence after = 0;
  for (auto& reader : readers) {
    EXPECT_EQ(reader->wait_for(100 + kMore - after), range(after + 1, 100 + kMore));
    after += 7;
  }
}

TEST(R_SSE_10, RemovedRecordsAreAnnouncedAsAGapBeforeTheOthers) {
  HubFixture fixture({.max_bytes = 1 << 20, .max_events_per_session = 10});
  for (int i = 0; i < 30; ++i)
    fixture.publish_now("tick", "ses_a");
  HubReader reader(fixture, 0, {.filter = {}, .after = 5});
  EXPECT_EQ(reader.wait_for(10), range(21, 30));
  EXPECT_EQ(reader.gaps(), std::vector<std::uint64_t>{15});
}

TEST(R_SSE_4, FramesForABusyLiveReaderAreQueued) {
  HubFixture fixture({.max_bytes = 64 << 20});
  HubReader reader(fixture, 0, {}, 1000);
  fixture.publish_now("tick");
  EXPECT_EQ(reader.wait_for(1), range(1, 1));
  reader.pause();
  for (int i = 0; i < 20; ++i)
    fixture.publish_now("tick");
  reader.resume();
  EXPECT_EQ(reader.wait_for(21), range(1, 21));
}

TEST(R_SSE_4, AFullInboxBlocksPublishersButNotTheirShard) {
  HubFixture fixture({.max_bytes = 64 << 20}, {.max_inbox_bytes = 1000});
  HubReader reader(fixture, 1, {});
  std::binary_semaphore resume(0);
  asio::post(fixture.shard(1).executor(), [&] { resume.acquire(); });
  constexpr int kCount = 100;
  auto published =
      asio::co_spawn(fixture.shard(0).executor(), publish_many(fixture, kCount), asio::use_future);

  auto ran = asio::post(fixture.shard(0).executor(), asio::use_future([] { return true; }));
  EXPECT_EQ(ran.wait_for(kHubPatience), std::future_status::ready);
  EXPECT_EQ(published.wait_for(0s), std::future_status::timeout);
  resume.release();
  EXPECT_EQ(reader.wait_for(kCount), range(1, kCount));
  published.get();
}

TEST(R_SSE_8, OnlyMatchingRecordsAreQueuedFromTheJournalAndLive) {
  HubFixture fixture;
  fixture.publish_now("a");
  fixture.publish_now("b");
  HubReader reader(fixture, 0,
                   {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 0});
  fixture.publish_now("a");
  fixture.publish_now("b");
  HubReader live(fixture, 0,
                 {.filter = {.types = {"b"}, .projects = {}, .sessions = {}}, .after = 2}, 1000);
  fixture.publish_now("a");
  fixture.publish_now("b");
  EXPECT_EQ(reader.wait_for(3), (std::vector<Sequence>{2, 4, 6}));
  EXPECT_EQ(live.wait_for(2), (std::vector<Sequence>{4, 6}));
}

asio::awaitable<std::size_t> sent_before_append_returns(HubFixture& fixture, HubReader& reader) {
  co_await fixture.publish("tick", "", "");
  co_return reader.sent_live();
}

TEST(ShardHub, ReadersOnTheAppendersShardAreServedBeforeTheAppenderResumes) {
  HubFixture fixture;
  HubReader reader(fixture, 0, {}, 1);
  auto sent = asio::co_spawn(fixture.shard(0).executor(),
                             sent_before_append_returns(fixture, reader), asio::use_future);
  EXPECT_EQ(sent.get(), 1U);
}

TEST(ShardHub, ACursorAheadOfItsShardReceivesNothingTwice) {
  HubFixture fixture;
  fixture.publish_now("a");
  fixture.publish_now("a");
  HubReader reader(fixture, 1, {.filter = {}, .after = 2});
  fixture.publish_now("a");
  EXPECT_EQ(reader.wait_for(1), range(3, 3));
}

}  // namespace
}  // namespace oriel
