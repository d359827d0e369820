#include "observed/silence_rules.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Silence, HasAReason) {
  EXPECT_EQ(silence_of(WorkState::kComplete, true, true), Silence::kIdle);
  EXPECT_EQ(silence_of(WorkState::kProcessing, true, false), Silence::kNone);
  EXPECT_EQ(silence_of(WorkState::kAwaitingInput, true, true), Silence::kQuestion);
  EXPECT_EQ(silence_of(WorkState::kProcessing, true, true), Silence::kTool);
  EXPECT_EQ(silence_of(WorkState::kCommanded, false, true), Silence::kUnknown);
}

TEST(Silence, NamesAreParsedBack) {
  for (const Silence silence : {Silence::kNone, Silence::kIdle, Silence::kQuestion, Silence::kTool,
                                Silence::kUnknown, Silence::kGone})
    EXPECT_EQ(parse_silence(name_of(silence)), silence);
  EXPECT_FALSE(parse_silence("other"));
}

}  // namespace
}  // namespace oriel
