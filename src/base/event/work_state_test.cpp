#include "base/event/work_state.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(WorkState, EveryStateHasAName) {
  EXPECT_EQ(name_of(WorkState::kIdle), "idle");
  EXPECT_EQ(name_of(WorkState::kCommanded), "commanded");
  EXPECT_EQ(name_of(WorkState::kProcessing), "processing");
  EXPECT_EQ(name_of(WorkState::kAwaitingInput), "awaiting_input");
  EXPECT_EQ(name_of(WorkState::kComplete), "complete");
}

TEST(WorkState, IsFoundByItsName) {
  EXPECT_EQ(parse_work_state("awaiting_input"), WorkState::kAwaitingInput);
  EXPECT_EQ(parse_work_state("asleep"), std::nullopt);
}

}  // namespace
}  // namespace oriel
