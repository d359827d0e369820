#include "posix/environment.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

TEST(Environment, OwnHoldsWhatTheProcessWasGiven) {
  ASSERT_EQ(setenv("ORIEL_TEST_VARIABLE", "a=b", 1), 0);
  EXPECT_EQ(own_environment()["ORIEL_TEST_VARIABLE"], "a=b");
  unsetenv("ORIEL_TEST_VARIABLE");
}

TEST(Environment, BecomesLines) {
  EXPECT_THAT(environment_lines({{"B", "2=3"}, {"A", ""}}), ElementsAre("A=", "B=2=3"));
}

}  // namespace
}  // namespace oriel
