#include "agent/adapters/agent_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class OneTask : public testing::Test {
 protected:
  void begin() {
    task_.begin();
    events_.clear();
  }

  std::vector<AgentEvent> events_;
  AgentTask task_{events_};
};

TEST_F(OneTask, StartsAndEndsOnce) {
  task_.begin();
  task_.begin();
  task_.end(TaskEnd::kCompleted);
  task_.end(TaskEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TaskStarted{}, TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(OneTask, NothingIsSaidOutsideIt) {
  task_.delta("a", "x");
  task_.thought("x");
  task_.finish_text("a", "x");
  task_.call_tool("t", "n", {});
  task_.finish_tool("t", true, "x");
  task_.report_usage(parse_usage({{"input_tokens", 1}}));
  EXPECT_THAT(events_, IsEmpty());
  task_.error("late");
  EXPECT_THAT(events_, ElementsAre(NoticeGiven{"late"}));
}

TEST_F(OneTask, AMessageIsFinishedOnce) {
  begin();
  task_.delta("a", "x");
  task_.finish_text("a", "xy");
  task_.finish_text("a", "xy");
  task_.end(TaskEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TextDelta{"a", "x"}, TextFinished{"a", "xy"},
                                   TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(OneTask, WhatWasDroppedIsNotFinished) {
  begin();
  task_.delta("a", "x");
  task_.drop("b");
  task_.drop("a");
  task_.drop_unfinished();
  task_.end(TaskEnd::kCompleted);
  EXPECT_THAT(events_, ElementsAre(TextDelta{"a", "x"}, TextDropped{"a"},
                                   TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(OneTask, ATextWithoutAnEndIsKeptUpToALimitAndItsPiecesArePassedOn) {
  begin();
  const std::string half(kMaxMessageBytes / 2, 'x');
  task_.delta("a", half);
  task_.delta("a", half);
  task_.delta("a", "beyond");
  task_.end(TaskEnd::kCompleted);
  ASSERT_THAT(events_, SizeIs(5));
  EXPECT_EQ(events_[2], AgentEvent(TextDelta{"a", "beyond"}));
  EXPECT_EQ(std::get<TextFinished>(events_[3]).text.size(), kMaxMessageBytes);
}

TEST_F(OneTask, ATextWithoutAnEndIsKeptUpToTheLimitAlsoIfItIsOnePiece) {
  begin();
  task_.delta("a", std::string(2 * kMaxMessageBytes, 'x'));
  task_.end(TaskEnd::kCompleted);
  ASSERT_THAT(events_, SizeIs(3));
  EXPECT_EQ(std::get<TextDelta>(events_[0]).text.size(), 2 * kMaxMessageBytes);
  EXPECT_EQ(std::get<TextFinished>(events_[1]).text.size(), kMaxMessageBytes);
}

TEST_F(OneTask, ItsEndFinishesTextsAndTools) {
  begin();
  task_.call_tool("t", "", nullptr);
  task_.delta("a", "x");
  task_.end(TaskEnd::kCancelled);
  ASSERT_THAT(events_, SizeIs(5));
  EXPECT_EQ(events_[0], AgentEvent(ToolCalled{"t", "tool", nullptr}));
  EXPECT_EQ(events_[2], AgentEvent(TextFinished{"a", "x"}));
  EXPECT_FALSE(std::get<ToolFinished>(events_[3]).is_ok);
}

TEST_F(OneTask, TheNextOneMayUseTheSameNames) {
  for (int i = 0; i < 2; ++i) {
    begin();
    task_.finish_text("a", "x");
    task_.call_tool("t", "n", nullptr);
    task_.finish_tool("t", true, "");
    task_.end(TaskEnd::kCompleted);
    EXPECT_THAT(events_, SizeIs(4));
  }
}

TEST_F(OneTask, AnEndByAnErrorNamesOne) {
  begin();
  task_.end(TaskEnd::kError, "process_exit");
  EXPECT_EQ(std::get<ErrorReported>(events_.at(0)).message,
            "The agent ended the task with an error: process_exit");
  begin();
  task_.error("no");
  task_.end(TaskEnd::kError);
  EXPECT_THAT(events_, ElementsAre(ErrorReported{"no"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(OneTask, UsageAddsUpAndIsSaidWhenItChanges) {
  begin();
  task_.report_usage(parse_usage({{"input_tokens", 1}}));
  task_.report_usage(parse_usage({{"input_tokens", 1}}));
  task_.report_usage(parse_usage({{"output_tokens", 2}}));
  task_.report_usage({});
  EXPECT_THAT(events_,
              ElementsAre(UsageReported{parse_usage({{"input_tokens", 1}})},
                          UsageReported{parse_usage({{"input_tokens", 1}, {"output_tokens", 2}})}));
}

}  // namespace
}  // namespace oriel
