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

TEST(StateTrigger, IsFoundByItsName) {
  EXPECT_EQ(name_of(StateTrigger::kMessage), "message");
  EXPECT_EQ(name_of(StateTrigger::kTaskEnd), "task_end");
  EXPECT_EQ(name_of(StateTrigger::kSessionEnd), "session_end");
  EXPECT_EQ(name_of(StateTrigger::kSessionStartHook), "session-start");
  EXPECT_EQ(name_of(StateTrigger::kStopHook), "stop");
  for (int i = 0; i <= static_cast<int>(StateTrigger::kStopHook); ++i) {
    const auto trigger = static_cast<StateTrigger>(i);
    EXPECT_EQ(parse_state_trigger(name_of(trigger)), trigger);
  }
  EXPECT_EQ(parse_state_trigger("turn_end"), std::nullopt);
}

}  // namespace
}  // namespace oriel
