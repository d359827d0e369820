#include "base/failpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace oriel {
namespace {

TEST(Failpoint, EveryNameCanBeSet) {
  for (const std::string& name : failpoint_names())
    EXPECT_EQ(parse_failpoints(name + ":1")->points.size(), 1u) << name;
  for (const std::string& name : mutant_names())
    EXPECT_EQ(parse_failpoints(name)->mutants.size(), 1u) << name;
}

TEST(Failpoint, ASettingNamesThePointTheHitAndTheAction) {
  const auto settings = parse_failpoints("commit.before:3,spawn.after:1:throw,mutant.forget_gap");
  ASSERT_TRUE(settings);
  const std::vector<FailpointSetting> expected = {
      {.point = Failpoint::kCommitBefore, .hit = 3, .action = FailAction::kCrash},
      {.point = Failpoint::kSpawnAfter, .hit = 1, .action = FailAction::kThrow}};
  EXPECT_EQ(settings->points, expected);
  EXPECT_EQ(settings->mutants, std::vector<Mutant>{Mutant::kForgetGap});
}

TEST(Failpoint, AnUnknownSettingIsRejected) {
  for (const char* text : {"commit", "commit.before", "commit.before:0", "commit.before:x",
                           "commit.before:1:explode", "mutant.none", ","})
    EXPECT_FALSE(parse_failpoints(text)) << text;
}

// In a child process each, because the environment is read once.
TEST(FailpointDeathTest, APointActsAtItsHitAndOnce) {
  const auto hit_four_times = [](const char* setting) {
    setenv(kFailpointsVariable, setting, 1);
    int thrown = 0;
    for (int i = 0; i < 4; ++i) {
      try {
        ORIEL_FAILPOINT(kCommitBefore);
      } catch (const std::runtime_error&) {
        thrown += i + 1;
      }
    }
    std::_Exit(thrown);
  };
  EXPECT_EXIT(hit_four_times("commit.before:4"), testing::ExitedWithCode(kFailpointExit), "");
  EXPECT_EXIT(hit_four_times("commit.before:5"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(hit_four_times("commit.after:1"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(hit_four_times("commit.before:3:throw"), testing::ExitedWithCode(3), "");
}

TEST(FailpointDeathTest, AnInvalidSettingEndsTheProcess) {
  const auto hit = [] {
    setenv(kFailpointsVariable, "commit.befor:1", 1);
    ORIEL_FAILPOINT(kCommitBefore);
  };
  EXPECT_EXIT(hit(), testing::ExitedWithCode(2), "commit.befor:1.* is not a failpoint");
}

}  // namespace
}  // namespace oriel
