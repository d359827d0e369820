#include "cluster/log/entry_feed.h"

#include "cluster/entry_testing.h"

#include <gmock/gmock.h>

#include <deque>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class EntryFeedTest : public testing::Test {
 protected:
  static EntryPart part(std::uint64_t place) { return test_part("n.1", place); }

  void live(EntryFeed& feed, std::uint64_t place) { feed.live(place, part(place), now_); }

  // The places that can be taken.
  static std::vector<std::uint64_t> take(EntryFeed& feed) {
    std::vector<std::uint64_t> places;
    while (feed.front() != nullptr) {
      const auto [place, taken] = feed.pop();
      EXPECT_EQ(taken.number, place);
      places.push_back(place);
    }
    return places;
  }

  SteadyTime now_ = SteadyTime() + 1h;
};

TEST_F(EntryFeedTest, LiveMessagesAreTakenInOrder) {
  EntryFeed feed({});
  live(feed, 1);
  live(feed, 2);
  EXPECT_THAT(take(feed), ElementsAre(1, 2));
  EXPECT_EQ(feed.taken(), 2);
  EXPECT_EQ(feed.due(), SteadyTime::max());
}

TEST_F(EntryFeedTest, AHoleIsAskedForAtOnceAndHoldsLaterMessagesBack) {
  EntryFeed feed({.taken = 10, .needed = 11});
  live(feed, 11);
  live(feed, 14);
  EXPECT_THAT(take(feed), ElementsAre(11));
  EXPECT_EQ(feed.due(), SteadyTime::min());
  EXPECT_THAT(feed.to_request(now_), ElementsAre(12, 13));
  EXPECT_THAT(feed.to_request(now_), IsEmpty());
  feed.refilled(13, part(13), now_);
  EXPECT_THAT(take(feed), IsEmpty());
  feed.refilled(12, part(12), now_);
  EXPECT_THAT(take(feed), ElementsAre(12, 13, 14));
  EXPECT_EQ(feed.refilled_count(), 2);
}

TEST_F(EntryFeedTest, ALostTailIsAskedForOnceTheLiveFeedHadTime) {
  EntryFeed feed({});
  live(feed, 1);
  feed.exists(3, now_);
  EXPECT_THAT(feed.to_request(now_ + 99ms), IsEmpty());
  EXPECT_EQ(feed.due(), now_ + 100ms);
  EXPECT_THAT(feed.to_request(now_ + 100ms), ElementsAre(2, 3));
}

TEST_F(EntryFeedTest, ATailThatArrivesLiveIsNotAskedFor) {
  EntryFeed feed({});
  feed.exists(2, now_);
  live(feed, 1);
  live(feed, 2);
  EXPECT_THAT(feed.to_request(now_ + 1h), IsEmpty());
}

TEST_F(EntryFeedTest, ARequestIsRepeatedWithoutAnAnswerAndAfterAReconnect) {
  EntryFeed feed({});
  live(feed, 2);
  EXPECT_THAT(feed.to_request(now_), ElementsAre(1));
  EXPECT_THAT(feed.to_request(now_ + 999ms), IsEmpty());
  EXPECT_THAT(feed.to_request(now_ + 1000ms), ElementsAre(1));
  feed.unanswered(1, now_ + 1000ms);
  EXPECT_EQ(feed.due(), now_ + 1100ms);
  EXPECT_THAT(feed.to_request(now_ + 1100ms), ElementsAre(1));
  feed.reconnected(now_ + 1101ms);
  EXPECT_THAT(feed.to_request(now_ + 1101ms), ElementsAre(1));
}

TEST_F(EntryFeedTest, ARequestIsNotRepeatedWhileAnswersArrive) {
  EntryFeed feed({});
  live(feed, 3);
  EXPECT_THAT(feed.to_request(now_), ElementsAre(1, 2));
  feed.refilled(2, part(2), now_ + 900ms);
  EXPECT_THAT(feed.to_request(now_ + 1899ms), IsEmpty());
  EXPECT_THAT(feed.to_request(now_ + 1900ms), ElementsAre(1));
}

TEST_F(EntryFeedTest, LargeMessagesAreAskedForFewAtATime) {
  EntryFeed feed({});
  feed.live(100, test_part("n.1", 100, std::string(600 << 10, 'x')), now_);
  const std::size_t count = feed.to_request(now_).size();
  EXPECT_GE(count, 2);
  EXPECT_LE(count, 14);
}

TEST_F(EntryFeedTest, RequestsUnderWayAreLimited) {
  EntryFeed feed({});
  live(feed, 1000);
  EXPECT_THAT(feed.to_request(now_), SizeIs(128));
  feed.refilled(1, part(1), now_);
  feed.refilled(2, part(2), now_);
  EXPECT_THAT(feed.to_request(now_), ElementsAre(129, 130));
}

TEST_F(EntryFeedTest, WhatDoesNotFitIsAskedForLater) {
  EntryFeed feed({.max_bytes = 64 << 10});
  for (std::uint64_t place = 2; place <= 1000; ++place)
    live(feed, place);
  std::vector<std::uint64_t> taken;
  for (int round = 0; round < 1000 && taken.size() < 1000; ++round) {
    const auto places = feed.to_request(now_);
    for (const std::uint64_t place : places)
      feed.refilled(place, part(place), now_);
    for (const std::uint64_t place : take(feed))
      taken.push_back(place);
  }
  ASSERT_THAT(taken, SizeIs(1000));
  EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
}

TEST_F(EntryFeedTest, ARepetitionOfTheSameMessageIsDropped) {
  EntryFeed feed({});
  live(feed, 1);
  live(feed, 1);
  live(feed, 3);
  live(feed, 3);
  take(feed);
  live(feed, 1);
  feed.refilled(2, part(2), now_);
  feed.refilled(3, part(3), now_);
  EXPECT_THAT(take(feed), ElementsAre(2, 3));
  EXPECT_FALSE(feed.broken_at());
}

TEST_F(EntryFeedTest, AnotherMessageAtATakenPlaceMeansThatTheLogIsBroken) {
  EntryFeed feed({});
  live(feed, 1);
  live(feed, 2);
  take(feed);
  feed.live(1, test_part("n.2", 1), now_);
  EXPECT_EQ(feed.broken_at(), 1);
}

TEST_F(EntryFeedTest, AnotherMessageAtAWaitingPlaceMeansThatTheLogIsBroken) {
  EntryFeed feed({});
  live(feed, 2);
  feed.refilled(2, test_part("n.2", 1), now_);
  EXPECT_EQ(feed.broken_at(), 2);
}

TEST_F(EntryFeedTest, APlaceTooLongAgoIsNotJudged) {
  EntryFeed feed({});
  for (std::uint64_t place = 1; place <= 9000; ++place) {
    live(feed, place);
    take(feed);
  }
  feed.live(1, test_part("n.2", 1), now_);
  EXPECT_FALSE(feed.broken_at());
  feed.live(8999, test_part("n.2", 1), now_);
  EXPECT_EQ(feed.broken_at(), 8999);
}

TEST_F(EntryFeedTest, APurgeOfWhatIsNeededIsNoticed) {
  EntryFeed feed({.taken = 10, .needed = 11});
  live(feed, 11);
  feed.begins_at(12);
  EXPECT_FALSE(feed.is_purged());
  feed.begins_at(13);
  EXPECT_TRUE(feed.is_purged());
  EXPECT_THAT(take(feed), ElementsAre(11));
  EXPECT_THAT(feed.to_request(now_ + 1h), IsEmpty());
}

TEST_F(EntryFeedTest, APurgeOfWhatIsOnlyOfUseIsNoLoss) {
  EntryFeed feed({.taken = 10, .needed = 50});
  live(feed, 51);
  EXPECT_THAT(feed.to_request(now_), SizeIs(40));
  feed.begins_at(49);
  EXPECT_FALSE(feed.is_purged());
  feed.refilled(49, part(49), now_);
  feed.refilled(50, part(50), now_);
  EXPECT_THAT(take(feed), ElementsAre(49, 50, 51));
}

TEST_F(EntryFeedTest, AnEmptyLogAfterAPurgeBeginsAfterItsEnd) {
  EntryFeed feed({.taken = 10, .needed = 50});
  feed.begins_at(50);
  EXPECT_FALSE(feed.is_purged());
  EXPECT_EQ(feed.taken(), 49);
  live(feed, 50);
  EXPECT_THAT(take(feed), ElementsAre(50));
}

// A feed that loses, repeats and delays live messages and answers at random.
TEST(R_CLUSTER_3, EveryPlaceIsTakenOnceInOrderWhateverIsLost) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  EntryFeed feed({.max_bytes = 256 << 10});
  SteadyTime now = SteadyTime() + 1h;
  const std::uint64_t count = 5000;
  std::uint64_t written = 0;
  std::uint64_t taken = 0;
  std::deque<std::uint64_t> answers;
  while (taken < count) {
    if (written < count) {
      ++written;
      if (random() % 4 != 0) feed.live(written, test_part("n.1", written), now);
      if (random() % 50 == 0) feed.live(written / 2 + 1, test_part("n.1", written / 2 + 1), now);
    }
    if (random() % 10 == 0 || written == count) feed.exists(written, now);
    for (const std::uint64_t place : feed.to_request(now))
      if (random() % 5 != 0) answers.push_back(place);
    while (!answers.empty() && random() % 3 != 0) {
      const std::uint64_t place = answers.front();
      answers.pop_front();
      if (random() % 20 == 0)
        feed.unanswered(place, now);
      else
        feed.refilled(place, test_part("n.1", place), now);
    }
    if (random() % 100 == 0) feed.reconnected(now);
    while (feed.front() != nullptr && random() % 8 != 0) {
      const auto [place, part] = feed.pop();
      ASSERT_EQ(place, ++taken);
      ASSERT_EQ(part.number, place);
    }
    now += 5ms;
  }
  EXPECT_FALSE(feed.broken_at());
}

}  // namespace
}  // namespace oriel
