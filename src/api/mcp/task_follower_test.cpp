#include "api/mcp/task_follower.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

Record completion(const std::string& task_id, const json::object& data) {
  SessionEvent event;
  event.type = "completion";
  event.text = "done";
  event.status = "completed";
  event.task_id = task_id;
  event.data = data;
  event.usage = json::object{{"output_tokens", 7}};
  Record record;
  record.index = 12;
  record.type = "session_event";
  record.kind = "completion";
  record.body = serialize_body(event);
  return record;
}

TEST(TaskFollower, ACompletionOfTheTaskIsItsOutcome) {
  const auto outcome = read_completion(completion("task_1", {{"duration_ms", 3}}), "task_1");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->text, "done");
  EXPECT_EQ(outcome->status, "completed");
  EXPECT_EQ(outcome->stop_reason, "completed");
  EXPECT_EQ(outcome->last_index, 12);
  EXPECT_EQ(outcome->usage.at("output_tokens").to_number<int>(), 7);
}

TEST(TaskFollower, TheAgentsReasonIsTheStopReason) {
  const auto outcome = read_completion(completion("task_1", {{"detail", "max_tokens"}}), "task_1");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->stop_reason, "max_tokens");
}

TEST(TaskFollower, OtherTasksAndOtherEventsAreNoOutcome) {
  EXPECT_FALSE(read_completion(completion("task_2", {}), "task_1"));
  Record message = completion("task_1", {});
  message.kind = "message";
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
