#include "cluster/log/publish_window.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class PublishWindowTest : public testing::Test {
 protected:
  void add(int count) {
    for (; count > 0; --count)
      window_.add(next_++, {"message"}, now_);
  }

  // The numbers of what is to be published now.
  std::vector<std::uint64_t> publish() {
    std::vector<std::uint64_t> numbers;
    while (const auto sending = window_.next(now_)) {
      numbers.push_back(sending->number);
      attempt_ = sending->attempt;
    }
    return numbers;
  }

  PublishWindow window_{{}};
  SteadyTime now_ = SteadyTime() + 1h;
  std::uint64_t next_ = 1;
  std::uint32_t attempt_ = 0;
};

TEST_F(PublishWindowTest, PublishesEachEntryOnce) {
  add(3);
  EXPECT_THAT(publish(), ElementsAre(1, 2, 3));
  EXPECT_THAT(publish(), IsEmpty());
  window_.stored(1, now_);
  add(1);
  EXPECT_THAT(publish(), ElementsAre(4));
}

TEST_F(PublishWindowTest, AllPartsOfAnEntryAreRepeated) {
  window_.add(1, {"a", "b", "c"}, now_);
  EXPECT_THAT(publish(), ElementsAre(1, 1, 1));
  window_.reconnected(now_);
  EXPECT_THAT(publish(), ElementsAre(1, 1, 1));
  EXPECT_EQ(window_.repeated(), 1);
}

TEST_F(PublishWindowTest, IsFullAtItsLimits) {
  for (int i = 0; i < 256; ++i) {
    EXPECT_TRUE(window_.has_room());
    add(1);
  }
  EXPECT_FALSE(window_.has_room());
  window_.stored(1, now_);
  EXPECT_TRUE(window_.has_room());
  PublishWindow small({.max_bytes = 10});
  small.add(1, {std::string(100, 'x')}, now_);
  EXPECT_FALSE(small.has_room());
}

TEST_F(PublishWindowTest, RepeatsEverythingAfterASecondWithoutProgressThenMoreSlowly) {
  add(3);
  publish();
  now_ += 999ms;
  EXPECT_THAT(publish(), IsEmpty());
  EXPECT_EQ(window_.due(), now_ + 1ms);
  now_ += 1ms;
  EXPECT_THAT(publish(), ElementsAre(1, 2, 3));
  now_ += 1999ms;
  EXPECT_THAT(publish(), IsEmpty());
  now_ += 1ms;
  EXPECT_THAT(publish(), ElementsAre(1, 2, 3));
  window_.stored(1, now_);
  now_ += 1000ms;
  EXPECT_THAT(publish(), ElementsAre(2, 3));
}

TEST_F(PublishWindowTest, AnAcknowledgementIsProgress) {
  add(1);
  publish();
  now_ += 900ms;
  window_.acknowledged(now_);
  now_ += 900ms;
  EXPECT_THAT(publish(), IsEmpty());
}

TEST_F(PublishWindowTest, ARefusalIsFollowedByAPauseThatGrows) {
  add(2);
  publish();
  for (const auto pause : {50ms, 100ms, 200ms, 400ms, 500ms, 500ms}) {
    window_.refused(attempt_, now_);
    window_.refused(attempt_, now_);  // of the other entry
    now_ += pause - 1ms;
    EXPECT_THAT(publish(), IsEmpty()) << pause.count();
    now_ += 1ms;
    EXPECT_THAT(publish(), ElementsAre(1, 2)) << pause.count();
  }
  window_.acknowledged(now_);
  window_.refused(attempt_, now_);
  now_ += 50ms;
  EXPECT_THAT(publish(), ElementsAre(1, 2));
}

TEST_F(PublishWindowTest, AcknowledgementsDoNotMakeRepetitionsMoreFrequent) {
  add(1);
  publish();
  now_ += 1s;
  EXPECT_THAT(publish(), ElementsAre(1));
  window_.acknowledged(now_);
  now_ += 1999ms;
  EXPECT_THAT(publish(), IsEmpty());
  now_ += 1ms;
  EXPECT_THAT(publish(), ElementsAre(1));
}

TEST_F(PublishWindowTest, ManyBytesHaveMoreTime) {
  window_.add(1, {std::string(4 << 20, 'x')}, now_);
  window_.reconnected(now_);
  EXPECT_THAT(publish(), ElementsAre(1));
  now_ += 2000ms;
  EXPECT_THAT(publish(), IsEmpty());
  now_ += 24ms;
  EXPECT_THAT(publish(), ElementsAre(1));
}

TEST_F(PublishWindowTest, ARefusalOfAnEarlierAttemptChangesNothing) {
  add(1);
  publish();
  const std::uint32_t earlier = attempt_;
  window_.reconnected(now_);
  EXPECT_THAT(publish(), ElementsAre(1));
  window_.refused(earlier, now_);
  EXPECT_THAT(publish(), IsEmpty());
}

TEST_F(PublishWindowTest, RepeatsEverythingAtOnceAfterAReconnect) {
  add(2);
  publish();
  window_.refused(attempt_, now_);
  window_.reconnected(now_);
  EXPECT_THAT(publish(), ElementsAre(1, 2));
}

TEST_F(PublishWindowTest, RepeatsEverythingOnceWhenLaterEntriesArePassedOver) {
  add(4);
  publish();
  const std::uint32_t first = attempt_;
  window_.passed_over(first, now_);
  EXPECT_THAT(publish(), ElementsAre(1, 2, 3, 4));
  window_.passed_over(first, now_);
  window_.passed_over(first, now_);
  EXPECT_THAT(publish(), IsEmpty());
}

TEST_F(PublishWindowTest, WhatCouldNotBeSentIsTriedAgainInOrder) {
  add(2);
  const auto sending = window_.next(now_);
  window_.unsent(*sending, now_);
  EXPECT_THAT(publish(), IsEmpty());
  now_ = window_.due();
  EXPECT_THAT(publish(), ElementsAre(1, 2));
}

TEST_F(PublishWindowTest, AnEntryThatComesBackWhileItIsRepeatedIsNotPublishedAgain) {
  add(3);
  publish();
  window_.reconnected(now_);
  EXPECT_EQ(window_.next(now_)->number, 1);
  window_.stored(2, now_);
  EXPECT_THAT(publish(), ElementsAre(3));
}

TEST_F(PublishWindowTest, AnEmptyWindowIsNeverDue) {
  EXPECT_EQ(window_.due(), SteadyTime::max());
  EXPECT_EQ(window_.waiting_since(), SteadyTime::max());
  window_.reconnected(now_);
  EXPECT_EQ(window_.due(), SteadyTime::max());
}

// A log that loses, refuses and repeats messages at random.
TEST(R_CLUSTER_2, TheWindowStoresEachEntryOnceInOrderWhateverIsLost) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  PublishWindow window({});
  SteadyTime now = SteadyTime() + 1h;
  std::uint64_t added = 0;
  std::uint64_t stored = 0;
  while (stored < 2000) {
    while (window.has_room() && added < 2000 && random() % 4 != 0)
      window.add(++added, {"message"}, now);
    while (const auto sending = window.next(now)) {
      const auto fate = random() % 200;
      if (fate == 0) continue;  // lost
      if (fate == 1) {
        window.unsent(*sending, now);
      } else if (fate == 2) {
        window.refused(sending->attempt, now);
      } else if (sending->number == stored + 1) {
        ++stored;
        if (fate != 3) window.stored(stored, now);  // else it is seen with the next one
      } else if (sending->number > stored) {
        window.passed_over(sending->attempt, now);
      }
      if (fate == 4) window.reconnected(now);
    }
    window.stored(stored, now);
    now = std::max(now, std::min(window.due(), now + 1s));
  }
  EXPECT_EQ(window.size(), 0);
}

}  // namespace
}  // namespace oriel
