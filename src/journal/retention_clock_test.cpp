#include "journal/retention_clock.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// Both clocks advance together unless a test sets the wall clock.
class RetentionClockTest : public testing::Test {
 protected:
  static Moment at(seconds elapsed, seconds wrong_by = seconds(0)) {
    return {.wall = kStart + elapsed + wrong_by, .steady = SteadyTime(hours(5)) + elapsed};
  }

  static constexpr WallTime kStart{std::chrono::milliseconds(1'800'000'000'000)};
  static constexpr hours kDay{24};
  static constexpr std::uint64_t kRecords = 1000;
  RetentionClock clock_{at(seconds(0)), std::nullopt};
};

TEST_F(RetentionClockTest, FollowsAWallClockThatAdvancesAsTimeDoes) {
  for (int day = 1; day <= 40; ++day)
    EXPECT_FALSE(clock_.advance(at(day * kDay), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + 40 * kDay);
  EXPECT_EQ(clock_.allowance(), 0);
}

TEST_F(RetentionClockTest, FollowsAStepWithinItsTolerance) {
  EXPECT_FALSE(clock_.advance(at(seconds(1), kMaxClockStep), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + seconds(1) + kMaxClockStep);
}

TEST_F(RetentionClockTest, DoubtsAStartLongAfterTheNewestRecord) {
  RetentionClock clock(at(seconds(0)), kStart - 40 * kDay);
  EXPECT_TRUE(clock.advance(at(seconds(1)), kRecords));
  EXPECT_EQ(clock.trusted(), kStart - 40 * kDay + seconds(1));
  EXPECT_FALSE(clock.advance(at(hours(1)), kRecords));
  EXPECT_EQ(clock.allowance(), kRecords * kDoubtfulPercentPerHour / 100 - 1);
}

TEST_F(RetentionClockTest, TrustsAStartSoonAfterOrBeforeTheNewestRecord) {
  for (const hours newer : {-kMaxStop, hours(0), 40 * kDay}) {
    RetentionClock clock(at(seconds(0)), kStart + newer);
    EXPECT_FALSE(clock.advance(at(seconds(1)), kRecords));
    EXPECT_EQ(clock.trusted(), kStart + seconds(1));
  }
}

TEST_F(RetentionClockTest, FollowsAStepBack) {
  EXPECT_FALSE(clock_.advance(at(seconds(1), -40 * kDay), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + seconds(1) - 40 * kDay);
}

TEST_F(RetentionClockTest, DoubtsAJumpOnceAndGoesOnAsIfItHadNotBeen) {
  EXPECT_TRUE(clock_.advance(at(seconds(1), 40 * kDay), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + seconds(1));
  EXPECT_FALSE(clock_.advance(at(minutes(10), 40 * kDay), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + minutes(10));
  EXPECT_EQ(clock_.wall(), kStart + minutes(10) + 40 * kDay);
}

TEST_F(RetentionClockTest, AllowsAShareOfTheRecordsPerHourOfDoubt) {
  clock_.advance(at(seconds(0), 40 * kDay), kRecords);
  EXPECT_EQ(clock_.allowance(), 0);
  clock_.advance(at(minutes(30), 40 * kDay), kRecords);
  EXPECT_EQ(clock_.allowance(), 25);
  clock_.removed(25);
  EXPECT_EQ(clock_.allowance(), 0);
  clock_.advance(at(hours(2), 40 * kDay), 10 * kRecords);
  EXPECT_EQ(clock_.allowance(), 75) << "of the records at the jump";
}

TEST_F(RetentionClockTest, TheShareCanBeConfigured) {
  RetentionClock clock(at(seconds(0)), std::nullopt, 20);
  clock.advance(at(seconds(0), 40 * kDay), kRecords);
  clock.advance(at(minutes(30), 40 * kDay), kRecords);
  EXPECT_EQ(clock.allowance(), 100);
}

TEST_F(RetentionClockTest, ANextJumpGivesNoNewAllowance) {
  clock_.advance(at(seconds(0), 40 * kDay), kRecords);
  EXPECT_FALSE(clock_.advance(at(hours(1), 80 * kDay), kRecords));
  EXPECT_EQ(clock_.allowance(), 50);
}

TEST_F(RetentionClockTest, TrustsAClockThatWasPutRight) {
  clock_.advance(at(seconds(0), 40 * kDay), kRecords);
  EXPECT_FALSE(clock_.advance(at(hours(3)), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + hours(3));
  EXPECT_EQ(clock_.allowance(), 0);
  EXPECT_TRUE(clock_.advance(at(hours(4), 40 * kDay), kRecords)) << "a jump of its own";
}

TEST_F(RetentionClockTest, TrustsTheClockOnRequest) {
  clock_.advance(at(seconds(0), 40 * kDay), kRecords);
  clock_.trust();
  EXPECT_EQ(clock_.trusted(), kStart + 40 * kDay);
  EXPECT_FALSE(clock_.advance(at(seconds(1), 40 * kDay), kRecords));
  EXPECT_EQ(clock_.trusted(), kStart + 40 * kDay + seconds(1));
}

}  // namespace
}  // namespace oriel
