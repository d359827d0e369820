#include "observed/task_list.h"

#include "observed/observed_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(TaskList, ATaskOfTheTranscriptComesBeforeLaterTasksOfHooks) {
  TaskList tasks;
  tasks.open("p1", at_ms(0)).has_entries = true;
  tasks.open("p3", at_ms(10));
  tasks.open_after_transcript(at_ms(5)).prompt_id = "p2";
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks.all()[1].prompt_id, "p2");
  EXPECT_EQ(tasks.current()->prompt_id, "p3");
  EXPECT_EQ(tasks.in_transcript()->prompt_id, "p1");
}

TEST(TaskList, ClosedTasksAreKnownByTheirPromptsAndDiscardedOnesAreNot) {
  TaskList tasks;
  const std::string closed = tasks.open("p1", at_ms(0)).task_id;
  const std::string discarded = tasks.open("p2", at_ms(1)).task_id;
  tasks.close(closed);
  tasks.discard(discarded);
  EXPECT_EQ(tasks.size(), 0U);
  EXPECT_EQ(tasks.current(), nullptr);
  EXPECT_TRUE(tasks.is_closed("p1"));
  EXPECT_FALSE(tasks.is_closed("p2"));
}

TEST(TaskList, WorkWithoutACommandFitsAnUnknownOrTheSamePrompt) {
  TaskList tasks;
  tasks.open("p1", at_ms(0));
  EXPECT_NE(tasks.find_without_command("p1"), nullptr);
  EXPECT_NE(tasks.find_without_command(""), nullptr);
  EXPECT_EQ(tasks.find_without_command("p2"), nullptr);
  tasks.current()->command_turn_id = "turn";
  EXPECT_EQ(tasks.find_without_command("p1"), nullptr);
}

TEST(TaskList, BeyondTheLimitTheOldestTaskThatTheTranscriptHasLeftIsNamed) {
  TaskList tasks;
  for (std::size_t i = 0; i < TaskList::kMaxTasks; ++i)
    tasks.open("p" + std::to_string(i), at_ms(0)).has_entries = i == 0;
  EXPECT_EQ(tasks.first_over_limit(), nullptr);
  tasks.open("last", at_ms(0));
  ASSERT_NE(tasks.first_over_limit(), nullptr);
  EXPECT_EQ(tasks.first_over_limit()->prompt_id, "p1");
}

TEST(ObservedTask, AnEndOfTheTranscriptCountsMoreThanThatOfAHook) {
  ObservedTask task;
  EXPECT_TRUE(task.finish_by_hook(at_ms(10)));
  task.resume(at_ms(9));  // late
  EXPECT_TRUE(task.done_at);
  task.finish_by_transcript(at_ms(11));
  EXPECT_FALSE(task.finish_by_hook(at_ms(12)));
  EXPECT_EQ(task.done_at, at_ms(11));
  task.resume(at_ms(13));
  EXPECT_FALSE(task.done_at);
}

}  // namespace
}  // namespace oriel
