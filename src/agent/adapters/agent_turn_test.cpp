#include "agent/adapters/agent_turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class OneTurn : public testing::Test {
 protected:
  void begin() {
    turn_.begin();
    events_.clear();
  }

  std::vector<AgentEvent> events_;
  AgentTurn turn_{events_};
};

TEST_F(OneTurn, StartsAndEndsOnce) {
  turn_.begin();
  turn_.begin();
  turn_.end(TurnEnd::kCompleted);
  turn_.end(TurnEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TurnStarted{}, TurnEnded{TurnEnd::kCompleted, ""}));
}

TEST_F(OneTurn, NothingIsSaidOutsideIt) {
  turn_.delta("a", "x");
  turn_.thought("x");
  turn_.finish_text("a", "x");
  turn_.call_tool("t", "n", {});
  turn_.finish_tool("t", true, "x");
  turn_.report_usage({{"input_tokens", 1}});
  EXPECT_THAT(events_, IsEmpty());
  turn_.error("late");
  EXPECT_THAT(events_, ElementsAre(NoticeGiven{"late"}));
}

TEST_F(OneTurn, AMessageIsFinishedOnce) {
  begin();
  turn_.delta("a", "x");
  turn_.finish_text("a", "xy");
  turn_.finish_text("a", "xy");
  turn_.end(TurnEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TextDelta{"a", "x"}, TextFinished{"a", "xy"},
                                   TurnEnded{TurnEnd::kCompleted, ""}));
}

TEST_F(OneTurn, WhatWasDroppedIsNotFinished) {
  begin();
  turn_.delta("a", "x");
  turn_.drop("b");
  turn_.drop("a");
  turn_.drop_unfinished();
  turn_.end(TurnEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TextDelta{"a", "x"}, TextDropped{"a"},
                                   TurnEnded{TurnEnd::kCompleted, ""}));
}

TEST_F(OneTurn, ATextWithoutAnEndIsKeptUpToALimitAndItsPiecesArePassedOn) {
  begin();
  const std::string half(kMaxMessageBytes / 2, 'x');
  turn_.delta("a", half);
  turn_.delta("a", half);
  turn_.delta("a", "beyond");
  turn_.end(TurnEnd::kCompleted);
  ASSERT_THAT(events_, SizeIs(5));
  EXPECT_EQ(events_[2], AgentEvent(TextDelta{"a", "beyond"}));
  EXPECT_EQ(std::get<TextFinished>(events_[3]).text.size(), kMaxMessageBytes);
}

TEST_F(OneTurn, ItsEndFinishesTextsAndTools) {
  begin();
  turn_.call_tool("t", "", nullptr);
  turn_.delta("a", "x");
  turn_.end(TurnEnd::kCancelled);
  ASSERT_THAT(events_, SizeIs(5));
  EXPECT_EQ(events_[0], AgentEvent(ToolCalled{"t", "tool", nullptr}));
  EXPECT_EQ(events_[2], AgentEvent(TextFinished{"a", "x"}));
  EXPECT_FALSE(std::get<ToolFinished>(events_[3]).is_ok);
}

TEST_F(OneTurn, TheNextOneMayUseTheSameNames) {
  for (int i = 0; i < 2; ++i) {
    begin();
    turn_.finish_text("a", "x");
    turn_.call_tool("t", "n", nullptr);
    turn_.finish_tool("t", true, "");
    turn_.end(TurnEnd::kCompleted);
    EXPECT_THAT(events_, SizeIs(4));
  }
}

TEST_F(OneTurn, AnEndByAnErrorNamesOne) {
  begin();
  turn_.end(TurnEnd::kError, "process_exit");
  EXPECT_EQ(std::get<ErrorReported>(events_.at(0)).message,
            "The agent ended the turn with an error: process_exit");
  begin();
  turn_.error("no");
  turn_.end(TurnEnd::kError);
  EXPECT_THAT(events_, ElementsAre(ErrorReported{"no"}, TurnEnded{TurnEnd::kError, ""}));
}

TEST_F(OneTurn, UsageAddsUpAndIsSaidWhenItChanges) {
  begin();
  turn_.report_usage({{"input_tokens", 1}});
  turn_.report_usage({{"input_tokens", 1}});
  turn_.report_usage({{"output_tokens", 2}});
  turn_.report_usage({});
  EXPECT_THAT(events_, ElementsAre(UsageReported{{{"input_tokens", 1}}},
                                   UsageReported{{{"input_tokens", 1}, {"output_tokens", 2}}}));
}

}  // namespace
}  // namespace oriel
