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
                          .asked = {"perm_1"},
                          .put_aside = {"perm_0"}};
  const auto again = from_kept(to_kept(task));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->session_id, "ses_a");
  EXPECT_EQ(again->task_id, "task_1");
  EXPECT_EQ(again->after, 42U);
  EXPECT_THAT(again->asked, ElementsAre("perm_1"));
  EXPECT_THAT(again->put_aside, ElementsAre("perm_0"));
  EXPECT_FALSE(from_kept({}));
}

}  // namespace
}  // namespace oriel
