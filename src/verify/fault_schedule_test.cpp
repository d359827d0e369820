#include "verify/fault_schedule.h"

#include "verify/server_lives.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace oriel {
namespace {

const std::vector<std::string> kPoints = {"commit.before", "spawn.before", "rename.after"};

std::vector<Life> lives(std::uint64_t seed, int count) {
  FaultSchedule schedule(seed, kPoints);
  std::vector<Life> made;
  for (int i = 0; i < count; ++i)
    made.push_back(schedule.next());
  return made;
}

TEST(FaultSchedule, ASeedRepeatsItsLives) {
  EXPECT_EQ(lives(1, 50), lives(1, 50));
  EXPECT_NE(lives(1, 50), lives(2, 50));
}

TEST(FaultSchedule, EachFailpointHasItsLifeFirst) {
  std::vector<std::string> crashed;
  for (const Life& life : lives(7, 3)) {
    EXPECT_EQ(life.end, LifeEnd::kCrash);
    EXPECT_GE(life.hit, 1u);
    crashed.push_back(life.failpoint);
  }
  EXPECT_TRUE(std::is_permutation(crashed.begin(), crashed.end(), kPoints.begin()));
}

TEST(FaultSchedule, LaterTheServerIsKilledAndStopped) {
  const std::vector<Life> all = lives(7, 100);
  const auto ends_with = [&](LifeEnd end) {
    return std::count_if(all.begin() + 3, all.end(),
                         [end](const Life& life) { return life.end == end; });
  };
  EXPECT_GT(ends_with(LifeEnd::kKill), 50);
  EXPECT_GT(ends_with(LifeEnd::kStop), 10);
  EXPECT_EQ(ends_with(LifeEnd::kCrash), 0);
}

TEST(FaultSchedule, AFailpointIsSetByItsNameAndHit) {
  EXPECT_EQ(failpoint_setting({.failpoint = "commit.before", .hit = 3}), "commit.before:3");
  EXPECT_EQ(failpoint_setting({}), "");
}

}  // namespace
}  // namespace oriel
