#include "session/session_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SessionQueue, MessagesSentWhileATaskRunsAreTasksOfTheirOwnInOrder) {
  TestSession session;
  session.start_task("one");
  session.agent(whole("hello"));
  EXPECT_THAT(session.message("two"), ElementsAre("user two"));
  EXPECT_THAT(session.message("three"), ElementsAre("user three"));
  EXPECT_EQ(session.state().queue.size(), 2U);
  EXPECT_THAT(session.agent(kDone),
              ElementsAre("completion completed hello", "status idle", "> prompt two"));
  EXPECT_THAT(session.agent(kDone), ElementsAre("status running", "completion completed ",
                                                "status idle", "> prompt three"));
  session.agent(kDone);
  EXPECT_THAT(session.state().queue, IsEmpty());
  EXPECT_EQ(session.state().turns, 6U);  // commands and completions
}

TEST(SessionQueue, EachMessageKnowsItsTaskAndWhereItsEventsBegin) {
  TestSession session;
  session.create();
  const auto first = session.session().message({.text = "one"}, session.now());
  const auto second = session.session().message({.text = "two"}, session.now());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->last_index, 0);
  EXPECT_EQ(first->step.events.at(0).task_id, first->task_id);
  EXPECT_EQ(second->last_index, 3);
  EXPECT_NE(first->task_id, second->task_id);
}

TEST(SessionQueue, TheAnswerToAMessageCountsThoseThatWait) {
  TestSession session;
  session.start_task("at work");
  EXPECT_EQ(session.session().message({.text = "one", .request_id = "r1"}, session.now())->queued,
            1U);
  EXPECT_EQ(session.session().message({.text = "two", .request_id = "r2"}, session.now())->queued,
            2U);
  session.agent(kDone);
  EXPECT_EQ(session.session().message({.text = "two", .request_id = "r2"}, session.now())->queued,
            1U);
  session.agent(kDone);
  session.agent(kDone);
  EXPECT_EQ(session.session().message({.text = "three", .request_id = "r3"}, session.now())->queued,
            0U);
}

TEST(SessionQueue, MoreMessagesThanTheLimitAreRefused) {
  TestSession session({.max_queued_messages = 2});
  session.start_task("at work");
  session.message("one");
  session.message("two");
  EXPECT_THAT(session.message("three"), ElementsAre("refused too_many_messages"));
  EXPECT_THAT(session.agent(kDone), Contains("> prompt one"));
  EXPECT_THAT(session.message("three"), ElementsAre("user three"));
}

TEST(SessionQueue, ARepeatedRequestIsTakenOnceAndGetsTheSameAnswer) {
  TestSession session;
  const auto first = session.session().message({.text = "one", .request_id = "r1"}, session.now());
  session.session().message({.text = "two", .request_id = "r2"}, session.now());
  const auto again = session.session().message({.text = "one", .request_id = "r1"}, session.now());
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->task_id, first->task_id);
  EXPECT_EQ(again->last_index, first->last_index);
  EXPECT_THAT(again->step.events, IsEmpty());
  EXPECT_THAT(again->step.commands, IsEmpty());
  EXPECT_EQ(session.state().queue.size(), 2U);
}

TEST(SessionQueue, ARepetitionIsKnownAfterItsTaskARestartAndTheSessionsEnd) {
  TestSession before;
  const auto first = before.session().message({.text = "one", .request_id = "r1"}, before.now());
  before.agent(kReady, kDone);
  TestSession after({}, PermissionMode::kAsk, parse_document(to_document(before.state())).value());
  EXPECT_THAT(after.message("one", "r1"), IsEmpty());
  after.end();
  const auto again = after.session().message({.text = "one", .request_id = "r1"}, after.now());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->task_id, first->task_id);
  EXPECT_THAT(after.message("two", "r2"), ElementsAre("refused session_ended"));
}

TEST(SessionQueue, MessagesWithoutARequestIdAreNeverRepetitions) {
  TestSession session;
  session.message("same");
  EXPECT_THAT(session.message("same"), ElementsAre("user same"));
}

TEST(SessionQueue, OnlyTheNewestRequestsAreRemembered) {
  TestSession session({.max_queued_messages = 9, .max_remembered_requests = 2});
  for (const char* request : {"r1", "r2", "r3"})
    session.message("x", request);
  EXPECT_EQ(session.state().requests.size(), 2U);
  EXPECT_THAT(session.message("x", "r3"), IsEmpty());
  EXPECT_THAT(session.message("x", "r1"), ElementsAre("user x"));
  TestSession forgetful({.max_remembered_requests = 0});
  forgetful.message("x", "r1");
  EXPECT_THAT(forgetful.message("x", "r1"), ElementsAre("user x"));
}

TEST(SessionCancel, WithoutATaskItIsRefused) {
  TestSession session;
  EXPECT_THAT(session.cancel(), ElementsAre("refused no_task"));
  session.start_task("hi");
  session.agent(kDone);
  EXPECT_THAT(session.cancel(), ElementsAre("refused no_task"));
}

TEST(SessionCancel, WhileTheAgentStartsTheMessagesAreTakenBack) {
  TestSession session;
  session.message("one");
  session.message("two");
  EXPECT_THAT(session.cancel(), ElementsAre("completion cancelled ", "completion cancelled "));
  EXPECT_EQ(session.state().state, WorkState::kIdle);
  EXPECT_THAT(session.agent(kReady), ElementsAre("system the agent is ready"));
  EXPECT_THAT(session.message("three"), ElementsAre("user three", "> prompt three"));
}

TEST(SessionCancel, TheAgentIsAskedOnceAndEndsTheTask) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.cancel(), ElementsAre("> cancel"));
  EXPECT_THAT(session.cancel(), IsEmpty());
  EXPECT_THAT(session.agent(TaskEnded{.reason = TaskEnd::kCancelled, .detail = ""}),
              ElementsAre("status running", "completion cancelled ", "status idle"));
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

TEST(SessionCancel, ATaskThatEndsPlainlyAllTheSameIsCancelled) {
  TestSession session;
  session.start_task("hi");
  session.agent(ErrorReported{.message = "will retry"});
  session.cancel();
  EXPECT_THAT(session.agent(kDone), Contains("completion cancelled "));
}

TEST(SessionCancel, OnlyTheTaskAtWorkIsCancelled) {
  TestSession session;
  session.start_task("one");
  session.message("two");
  session.cancel();
  EXPECT_THAT(session.agent(kDone), Contains("> prompt two"));
}

TEST(SessionCancel, AnAgentThatIgnoresItIsEndedAndTheNextMessageStartsItAgain) {
  TestSession session({.cancel_timeout = 10s});
  session.start_task("one");
  session.message("two");
  session.agent(whole("hello"));
  session.cancel();
  EXPECT_THAT(session.pass(9999ms), IsEmpty());
  EXPECT_THAT(session.pass(1ms),
              ElementsAre("completion cancelled hello", "status idle", "> stop", "> start conv"));
  EXPECT_EQ(session.last("completion").data->at("detail"),
            "the agent did not stop by itself and was ended");
  EXPECT_THAT(session.agent(kReady), Contains("> prompt two"));
}

TEST(SessionCancel, WithoutFurtherMessagesTheEndedAgentIsStartedByTheNextOne) {
  TestSession session({.cancel_timeout = 10s});
  session.start_task("one");
  session.cancel();
  EXPECT_THAT(session.pass(10s), Contains("> stop"));
  EXPECT_FALSE(session.state().is_live);
  EXPECT_THAT(session.agent(whole("hello"), kDone), IsEmpty());
  EXPECT_THAT(session.gone("was killed"), IsEmpty());
  EXPECT_THAT(session.message("two"), ElementsAre("user two", "> start conv"));
}

TEST(SessionTaskTimeout, ATaskThatTakesTooLongIsAnErrorAndIsCancelled) {
  TestSession session({.cancel_timeout = 10s, .task_timeout = 60s});
  session.start_task("hi");
  EXPECT_THAT(session.pass(59s), IsEmpty());
  EXPECT_THAT(session.pass(1s),
              ElementsAre("status running", "error the task took longer than 60 s and is cancelled",
                          "> cancel"));
  EXPECT_THAT(session.cancel(), IsEmpty());
  EXPECT_THAT(session.agent(TaskEnded{.reason = TaskEnd::kCancelled, .detail = ""}),
              ElementsAre("completion error ", "status idle"));
}

TEST(SessionTaskTimeout, AnAgentThatDoesNotStopThenIsEnded) {
  TestSession session({.cancel_timeout = 10s, .task_timeout = 60s});
  session.start_task("hi");
  EXPECT_THAT(session.pass(70s),
              ElementsAre("status running",
                          "error the task took longer than 60 s and is "
                          "cancelled",
                          "> cancel", "completion error ", "status idle", "> stop"));
}

TEST(SessionTaskTimeout, WithoutOneATaskMayTakeForEver) {
  TestSession session;
  session.start_task("hi");
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

}  // namespace
}  // namespace oriel
