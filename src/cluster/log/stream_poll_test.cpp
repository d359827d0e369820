#include "cluster/log/stream_poll.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kPatience = 3s;
const SteadyTime kStart = SteadyTime(1h);

std::string stream_until(std::uint64_t last) {
  return R"({"config": {}, "state": {"first_seq": 1, "last_seq": )" + std::to_string(last) + "}}";
}

TEST(StreamPoll, AsksAtOnceAndAgainAfterThreeSeconds) {
  StreamPoll poll;
  EXPECT_TRUE(poll.begin(kStart));
  EXPECT_FALSE(poll.begin(kStart + 1s));
  EXPECT_TRUE(poll.answered(stream_until(7), 7, kStart + 1s));
  EXPECT_EQ(poll.due(), kStart + 3s);
  EXPECT_TRUE(poll.begin(kStart + 3s));
}

TEST(StreamPoll, ANewConnectionIsAskedAtOnce) {
  StreamPoll poll;
  poll.begin(kStart);
  poll.reconnected(kStart + 1s);
  EXPECT_TRUE(poll.begin(kStart + 1s));
}

TEST(StreamPoll, ALeaderThatDoesNotAnswerIsAskedEachSecondAndIsAProblemUntilItDoes) {
  StreamPoll poll;
  for (const auto time : {0s, 3s, 4s, 5s, 6s})
    EXPECT_TRUE(poll.begin(kStart + time)) << time.count();
  EXPECT_EQ(poll.problem(kStart + 5s, kPatience), std::nullopt);
  EXPECT_THAT(poll.problem(kStart + 6s, kPatience).value_or(""), HasSubstr("does not answer"));
  EXPECT_TRUE(poll.answered(stream_until(7), 7, kStart + 7s));
  EXPECT_EQ(poll.problem(kStart + 7s, kPatience), std::nullopt);
}

TEST(StreamPoll, AnAnswerWithoutAStreamIsAProblem) {
  StreamPoll poll;
  EXPECT_FALSE(poll.answered(R"({"error": {"description": "no stream"}})", 0, kStart));
  EXPECT_THAT(poll.problem(kStart + kPatience, kPatience).value_or(""), HasSubstr("no stream"));
}

// A leader may say for some seconds that the log ends earlier than it does.
TEST(StreamPoll, ALogThatEndsBeforeWhatWasTakenFromItIsBrokenAfterAMinute) {
  StreamPoll poll;
  poll.answered(stream_until(6), 7, kStart);
  poll.answered(stream_until(6), 7, kStart + 59s);
  EXPECT_EQ(poll.problem(kStart + 59s, kPatience), std::nullopt);
  EXPECT_THAT(poll.problem(kStart + 60s, kPatience).value_or(""), HasSubstr("it ends at place 6"));
  poll.answered(stream_until(7), 7, kStart + 61s);
  EXPECT_EQ(poll.problem(kStart + 2min, kPatience), std::nullopt);
}

}  // namespace
}  // namespace oriel
