#include "session/message_queue.h"

#include "session/turn_recorder.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class MessageQueueTest : public testing::Test {
 protected:
  MessageQueueTest() { state_.session_id = "ses_1"; }

  Result<MessageTaken> push(UserMessage said) { return queue_.push(std::move(said), step_); }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const QueuedMessage& queued : state_.queue)
      texts.push_back(queued.text);
    return texts;
  }

  SessionState state_;
  StepBuilder step_{state_, {}};
  MessageQueue queue_{state_, {.max_queued = 2, .max_remembered = 2}};
};

TEST_F(MessageQueueTest, MessagesLeaveInTheirOrder) {
  const auto first = push({.text = "one"});
  const auto second = push({.text = "two"});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(queue_.pop(), (QueuedMessage{.task_id = first->task_id, .text = "one"}));
  EXPECT_EQ(queue_.pop(), (QueuedMessage{.task_id = second->task_id, .text = "two"}));
  EXPECT_THAT(state_.queue, IsEmpty());
}

TEST_F(MessageQueueTest, AMessageIsATaskWhoseFirstEventItIs) {
  state_.last_index = 6;
  const auto taken = push({.text = "one", .request_id = "r1", .by = "local"});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->last_index, 6);
  EXPECT_EQ(taken->turn_id, command_turn_of(taken->task_id));
  EXPECT_FALSE(taken->is_repeat);
  const SessionStep step = step_.take();
  ASSERT_THAT(step.events, SizeIs(1));
  EXPECT_EQ(step.events[0].task_id, taken->task_id);
  const auto& message = std::get<event::UserMessage>(step.events[0].payload);
  EXPECT_EQ(message.text, "one");
  EXPECT_EQ(message.request_id, "r1");
  EXPECT_EQ(message.by, "local");
}

TEST_F(MessageQueueTest, TheAgentGetsThePromptAndPeopleSeeTheText) {
  ASSERT_TRUE(push({.text = "look", .prompt = "look at the file"}));
  EXPECT_THAT(texts(), ElementsAre("look at the file"));
  const SessionStep step = step_.take();
  EXPECT_EQ(std::get<event::UserMessage>(step.events[0].payload).text, "look");
}

TEST_F(MessageQueueTest, AFullQueueRejectsAndChangesNothing) {
  ASSERT_TRUE(push({.text = "one"}));
  ASSERT_TRUE(push({.text = "two"}));
  const auto third = push({.text = "three", .request_id = "r3"});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().kind, ErrorKind::kTooManyMessages);
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_THAT(step_.take().events, SizeIs(2));
  EXPECT_FALSE(queue_.repeated("r3"));
}

TEST_F(MessageQueueTest, AnEndedSessionRejects) {
  state_.status = SessionStatus::kCompleted;
  EXPECT_EQ(push({.text = "one"}).error().kind, ErrorKind::kSessionEnded);
  EXPECT_THAT(state_.queue, IsEmpty());
}

TEST_F(MessageQueueTest, ARepetitionReturnsTheFirstResultAndTheCurrentQueue) {
  const auto first = push({.text = "one", .request_id = "r1"});
  push({.text = "two", .request_id = "r2"});
  const auto again = queue_.repeated("r1");
  ASSERT_TRUE(first && again);
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->task_id, first->task_id);
  EXPECT_EQ(again->turn_id, first->turn_id);
  EXPECT_EQ(again->last_index, first->last_index);
  EXPECT_EQ(again->queued, 2U);
}

TEST_F(MessageQueueTest, OnlyTheNewestRequestsWithAnIdAreRemembered) {
  for (const char* request_id : {"r1", "r2", "", "r3"})
    queue_.remember(request_id, {.task_id = "task", .turn_id = "turn", .step = {}});
  EXPECT_FALSE(queue_.repeated(""));
  EXPECT_FALSE(queue_.repeated("r1"));
  EXPECT_TRUE(queue_.repeated("r2"));
  EXPECT_TRUE(queue_.repeated("r3"));
  EXPECT_THAT(state_.requests, SizeIs(2));
}

TEST_F(MessageQueueTest, DroppedMessagesAreCompletedTasks) {
  const auto first = push({.text = "one"});
  const auto second = push({.text = "two"});
  ASSERT_TRUE(first && second);
  step_.take();
  event::Completion cancelled;
  cancelled.outcome = TaskEnd::kCancelled;
  queue_.drop_all(cancelled, step_);
  EXPECT_THAT(state_.queue, IsEmpty());
  const SessionStep step = step_.take();
  ASSERT_THAT(step.events, SizeIs(2));
  EXPECT_EQ(step.events[0].task_id, first->task_id);
  EXPECT_EQ(step.events[1].task_id, second->task_id);
  EXPECT_EQ(std::get<event::Completion>(step.events[1].payload).outcome, TaskEnd::kCancelled);
}

}  // namespace
}  // namespace oriel
