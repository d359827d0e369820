#include "api/rest/new_turn_endpoint.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

const WallTime kNow = parse_time("2026-11-15T21:19:27.042Z").value();

std::string problem_of(std::string_view text) {
  const auto time = parse_said_at(text, kNow);
  return time ? "" : time.error().message;
}

TEST(NewTurnEndpoint, AcceptsTimesOfTheLastDay) {
  EXPECT_EQ(parse_said_at("2026-11-15T21:19:20.5Z", kNow)->value(),
            parse_time("2026-11-15T21:19:20.500Z"));
  EXPECT_EQ(parse_said_at("2026-11-14T21:19:27.042Z", kNow)->value(),
            kNow - std::chrono::hours(24));
  EXPECT_EQ(parse_said_at("2026-11-15T21:19:27.042Z", kNow)->value(), kNow);
}

TEST(NewTurnEndpoint, TreatsTheNearFutureAsNow) {
  EXPECT_EQ(parse_said_at("2026-11-15T21:19:27.043Z", kNow).value(), std::nullopt);
  EXPECT_EQ(parse_said_at("2026-11-15T21:24:27Z", kNow).value(), std::nullopt);
}

TEST(NewTurnEndpoint, RejectsOtherTimes) {
  EXPECT_THAT(problem_of("2026-11-14T21:19:27.041Z"), HasSubstr("last 24 hours"));
  EXPECT_THAT(problem_of("2026-11-15T21:24:28Z"), HasSubstr("last 24 hours"));
  EXPECT_THAT(problem_of("1970-01-01T00:00:00Z"), HasSubstr("last 24 hours"));
  EXPECT_THAT(problem_of("now"), HasSubstr("not a time"));
  EXPECT_THAT(problem_of(""), HasSubstr("not a time"));
}

}  // namespace
}  // namespace oriel
