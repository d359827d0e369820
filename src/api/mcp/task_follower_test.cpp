#include "api/mcp/task_follower.h"

#include "base/event/event_json.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

Record completion(const std::string& task_id, const std::string& detail = {}) {
  event::Completion done;
  done.text = "done";
  done.detail = detail;
  done.usage.output_tokens = 7;
  SessionEvent event;
  event.task_id = task_id;
  event.payload = done;
  Record record;
  record.index = 12;
  record.type = "session_event";
  record.event_type = EventType::kCompletion;
  record.body = serialize_body(event);
  return record;
}

TEST(TaskFollower, ACompletionOfTheTaskIsItsOutcome) {
  const auto outcome = read_completion(completion("task_1"), "task_1");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->text, "done");
  EXPECT_EQ(outcome->status, TaskEnd::kCompleted);
  EXPECT_EQ(outcome->stop_reason, "completed");
  EXPECT_EQ(outcome->last_index, 12);
  EXPECT_EQ(outcome->usage.output_tokens, 7);
}

TEST(TaskFollower, TheAgentsReasonIsTheStopReason) {
  const auto outcome = read_completion(completion("task_1", "max_tokens"), "task_1");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->stop_reason, "max_tokens");
}

TEST(TaskFollower, OtherTasksAndOtherEventsAreNoOutcome) {
  EXPECT_FALSE(read_completion(completion("task_2"), "task_1"));
  Record message = completion("task_1");
  message.event_type = EventType::kMessage;
  EXPECT_FALSE(read_completion(message, "task_1"));
}

TEST(TaskFollower, TheStateOfAQuestionSurvivesARoundTrip) {
  const FollowedTask task{.session_id = "ses_a",
                          .task_id = "task_1",
                          .after = 42,
                          .last_index = 7,
                          .asked = {"perm_1"},
                          .asked_at = WallTime(std::chrono::hours(500'000)),
                          .works_since = WallTime(std::chrono::hours(499'999))};
  const auto again = from_kept(to_kept(task));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->session_id, "ses_a");
  EXPECT_EQ(again->task_id, "task_1");
  EXPECT_EQ(again->after, 42U);
  EXPECT_EQ(again->last_index, 7);
  EXPECT_THAT(again->asked, ElementsAre("perm_1"));
  EXPECT_EQ(again->asked_at, task.asked_at);
  EXPECT_EQ(again->works_since, task.works_since);
  EXPECT_FALSE(from_kept({}));
}

TEST(TaskFollower, AStateOfAnEarlierVersionHasNoTimeOfTheQuestion) {
  json::object kept = to_kept({.session_id = "ses_a", .task_id = "task_1", .after = 42});
  kept.erase("asked_at");
  kept.erase("last_index");
  kept.erase("works_since");
  const auto again = from_kept(kept);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->asked_at, WallTime());
  EXPECT_EQ(again->last_index, -1);
  EXPECT_FALSE(again->works_since);
}

TEST(TaskFollower, ATaskIsOpenWhileItRunsOrIsQueued) {
  SessionState session;
  session.task_id = "task_1";
  EXPECT_FALSE(is_open(session, "task_1")) << "it was the last one";
  session.is_in_task = true;
  session.queue = {{.task_id = "task_2", .text = "x"}};
  EXPECT_TRUE(is_open(session, "task_1"));
  EXPECT_TRUE(is_open(session, "task_2"));
  EXPECT_FALSE(is_open(session, "task_3"));
}

}  // namespace
}  // namespace oriel
