#include "session/session_testing.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const std::string kUnfinished =
    "tool_result t1 error no result: the task ended before the tool did";

TEST(R_AGENT_4, AnAgentThatDoesNotBecomeReadyIsEndedAndTheMessagesFail) {
  TestSession session({.start_timeout = 60s});
  session.message("one");
  session.message("two");
  const std::string why = "the agent did not become ready within 60 s";
  EXPECT_THAT(session.pass(60s),
              ElementsAre("error " + why, "completion error ", "completion error ",
                          "status failed: " + why, "> stop"));
  EXPECT_EQ(session.last("error").task_id, session.events().at(0).task_id);
  EXPECT_EQ(session.last("completion").data->at("detail").as_string(),
            "not sent to the agent: " + why);
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

TEST(R_AGENT_4, AnAgentThatRefusesFailsWithWhatItSaysAndWhatToDo) {
  TestSession session;
  session.message("hi");
  const std::string why = "The agent wants a login. Run `agent login`.";
  EXPECT_THAT(session.agent(AgentRefused{.error = {.kind = ErrorKind::kLoginRequired,
                                                   .message = "The agent wants a login.",
                                                   .hint = "Run `agent login`."}}),
              ElementsAre("error " + why, "completion error ", "status failed: " + why, "> stop"));
  EXPECT_THAT(session.gone("exited with code 0"), IsEmpty());
}

TEST(R_AGENT_4, WhatARefusingAgentSaysAfterwardsIsIgnored) {
  TestSession session;
  session.message("hi");
  session.agent(AgentRefused{.error = {.kind = ErrorKind::kUnknown, .message = "no", .hint = ""}},
                kReady, TaskStarted{}, piece("hel"));
  EXPECT_FALSE(session.state().is_live);
  EXPECT_EQ(session.state().status, SessionStatus::kFailed);
  EXPECT_FALSE(session.state().is_in_task);
}

TEST(R_AGENT_4, AMessageAfterAFailureStartsTheAgentAgainWithItsConversation) {
  TestSession session;
  session.start_task("one");
  session.gone("exited with code 1");
  EXPECT_THAT(session.message("two"), ElementsAre("user two", "> start conv"));
  EXPECT_EQ(session.state().status, SessionStatus::kFailed);
  session.agent(kReady);
  EXPECT_THAT(session.agent(piece("hel")), ElementsAre("status running", "delta hel"));
  EXPECT_EQ(session.state().reason, "");
}

const AgentRefused kCannotResume{.error = {.kind = ErrorKind::kCannotResume,
                                           .message = "the agent could not resume: no session",
                                           .hint = "start a new session"}};

TEST(R_AGENT_4, AnAgentThatCannotResumeStartsAgainWithANewConversation) {
  TestSession session({.start_timeout = 60s});
  session.start_task("one");
  session.gone("exited with code 1");
  session.message("two");
  session.message("three");
  session.pass(50s);
  EXPECT_THAT(session.agent(kCannotResume, kReady, TaskStarted{}, piece("old")),
              ElementsAre("system the agent could not resume: no session; a new conversation "
                          "begins without the earlier messages",
                          "> stop", "> start"));
  EXPECT_EQ(session.last("system").task_id, session.state().queue.front().task_id);
  EXPECT_EQ(session.state().agent_session_id, "");
  EXPECT_FALSE(session.state().is_live);
  EXPECT_EQ(session.state().queue.size(), 2U);
  EXPECT_THAT(session.pass(50s), IsEmpty()) << "it has the whole time to start again";
  EXPECT_THAT(session.agent(kReady), Contains("> prompt two"));
}

TEST(R_AGENT_4, AnAgentThatCannotEvenBeginANewConversationFails) {
  TestSession session;
  session.start_task("one");
  session.gone("exited with code 1");
  session.message("two");
  session.agent(kCannotResume);
  EXPECT_THAT(session.agent(kCannotResume),
              ElementsAre("error the agent could not resume: no session; start a new session",
                          "completion error ", "> stop"));
}

TEST(R_AGENT_4, ASecondFailureInARowHasItsOwnReason) {
  TestSession session;
  session.start_task("one");
  session.gone("exited with code 1");
  session.message("two");
  EXPECT_THAT(session.gone("could not be started"),
              ElementsAre("error the agent could not be started", "completion error "));
  EXPECT_EQ(session.state().reason, "the agent could not be started");
}

TEST(R_AGENT_4, AnAgentThatDiesFailsTheMessagesThatWaitToo) {
  TestSession session;
  session.start_task("one");
  session.message("two");
  EXPECT_THAT(session.gone("died"),
              ElementsAre("status running", "error the agent died", "completion error ",
                          "status failed: the agent died", "completion error "));
  EXPECT_THAT(session.state().queue, IsEmpty());
}

TEST(R_AGENT_4, AnAgentThatDiesAtRestIsOnlyANotice) {
  TestSession session;
  session.start_task("one");
  session.agent(kDone);
  EXPECT_THAT(session.gone("exited with code 0"),
              ElementsAre("system the agent exited with code 0; the next message starts it again"));
  EXPECT_EQ(session.state().status, SessionStatus::kIdle);
  EXPECT_THAT(session.message("two"), Contains("> start conv"));
}

TEST(R_AGENT_4, AnAgentThatDiesWhenItsMessagesWereTakenBackLeavesNoDeadline) {
  TestSession session;
  session.message("one");
  session.cancel();
  EXPECT_THAT(session.gone("died"), ElementsAre("system the agent died; the next message starts "
                                                "it again"));
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
  EXPECT_EQ(session.state().status, SessionStatus::kIdle);
}

TEST(R_AGENT_4, AnAgentThatRestsIsWokenByTheNextMessage) {
  TestSession session;
  session.start_task("one");
  session.agent(kDone);
  EXPECT_THAT(
      session.idle(),
      ElementsAre("system the agent was idle and is stopped; the next message starts it again"));
  EXPECT_FALSE(session.state().is_live);
  EXPECT_THAT(session.message("two"), ElementsAre("user two", "> start conv"));
}

TEST(SessionEnd, AtRestItIsOver) {
  TestSession session;
  EXPECT_THAT(session.end(), ElementsAre("status completed", "system session ended", "> stop"));
  EXPECT_EQ(session.events().back().feed_type, "session_ended");
  EXPECT_EQ(session.state().state, WorkState::kComplete);
  EXPECT_THAT(session.end(), IsEmpty());
}

TEST(SessionEnd, WhatIsAtWorkIsCancelled) {
  TestSession session;
  session.start_task("one");
  session.message("two");
  session.agent(piece("hel"), call("t1"), ask_to("p", "do"));
  EXPECT_THAT(
      session.end(),
      ElementsAre("permission withdrawn do", kUnfinished, "completion cancelled hel",
                  "status completed", "completion cancelled ", "system session ended", "> stop"));
}

TEST(SessionEnd, ItsEventCountsTheTurnsThatTheEndMakes) {
  TestSession session;
  session.start_task("one");
  session.message("two");
  session.agent(ask_to("p", "do"));
  session.end();
  const auto ended = std::find_if(session.events().begin(), session.events().end(),
                                  [](auto& event) { return event.feed_type == "session_ended"; });
  ASSERT_NE(ended, session.events().end());
  EXPECT_EQ(ended->data->at("turns"), 5);  // commands, the question, completions
  EXPECT_EQ(session.state().turns, session.turns().size());
}

TEST(R_AUTH_6, TheEndOfACancelledTaskNamesWhoCancelledIt) {
  TestSession running;
  running.start_task("one");
  running.cancel();
  running.agent(TaskEnded{.reason = TaskEnd::kCancelled, .detail = {}});
  EXPECT_EQ(running.last("completion").data->at("by"), "ann");
  TestSession waiting;
  waiting.message("one");
  waiting.cancel();
  EXPECT_EQ(waiting.last("completion").data->at("by"), "ann");
  TestSession done;
  done.start_task("one");
  done.agent(TaskEnded{});
  EXPECT_FALSE(done.last("completion").data->as_object().contains("by"));
}

TEST(SessionEnd, AfterItNothingHappensAnyMore) {
  TestSession session;
  session.message("one");
  session.end();
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
  EXPECT_THAT(session.pass(2min), IsEmpty());
  EXPECT_THAT(session.agent(kReady, TaskStarted{}, piece("hel"), ask_to("p", "do")), IsEmpty());
  EXPECT_THAT(session.gone("died"), IsEmpty());
  EXPECT_THAT(session.idle(), IsEmpty());
  EXPECT_THAT(session.interrupt("restart"), IsEmpty());
  EXPECT_THAT(session.cancel(), ElementsAre("refused no_task"));
  EXPECT_THAT(session.message("two"), ElementsAre("refused session_ended"));
  EXPECT_FALSE(session.state().is_live);
  EXPECT_EQ(session.state().state, WorkState::kComplete);
  EXPECT_EQ(session.state().status, SessionStatus::kCompleted);
}

// The session as a restart finds it: only what its document kept.
TestSession restarted(const TestSession& session) {
  return TestSession({}, PermissionMode::kAsk,
                     parse_document(to_document(session.state())).value());
}

TEST(SessionRestart, ASessionAtRestIsLeftAsItIs) {
  TestSession session;
  session.start_task("one");
  session.agent(kDone);
  EXPECT_THAT(session.interrupt("Oriel ends"), IsEmpty());
  EXPECT_THAT(session.states(), ElementsAre("commanded", "processing", "complete"));
  TestSession again = restarted(session);
  EXPECT_THAT(again.interrupt("Oriel was restarted"), IsEmpty());
  EXPECT_THAT(again.message("two"), ElementsAre("user two", "> start conv"));
}

TEST(SessionRestart, ATaskAtWorkAndWhatWaitsEndWhenOrielDoes) {
  TestSession session;
  session.start_task("one");
  session.message("two");
  session.agent(piece("hel"), call("t1"));
  EXPECT_THAT(session.interrupt("Oriel ends"),
              ElementsAre("error Oriel ends", kUnfinished, "completion error hel", "status idle",
                          "completion error "));
  EXPECT_EQ(session.state().state, WorkState::kIdle);
  EXPECT_THAT(restarted(session).interrupt("Oriel was restarted"), IsEmpty());
}

TEST(SessionRestart, ATaskThatACrashLeftAtWorkIsEndedWithItsTools) {
  TestSession session;
  session.start_task("one");
  const std::string task_id = session.state().task_id;
  session.agent(piece("hel"), call("t1"), ask_to("p", "do"));
  TestSession again = restarted(session);
  again.pass(0ms);
  EXPECT_THAT(
      again.interrupt("Oriel was restarted"),
      ElementsAre("error Oriel was restarted", kUnfinished, "completion error ", "status idle"));
  EXPECT_EQ(again.last("completion").task_id, task_id);
  EXPECT_EQ(again.state().turns, 3U);  // command, question, completion
  EXPECT_EQ(again.state().state, WorkState::kIdle);
}

TEST(SessionRestart, ATaskThatACrashMetBeforeItsFirstWorkIsEndedToo) {
  TestSession session;
  session.start_task("one");
  TestSession again = restarted(session);
  EXPECT_THAT(again.interrupt("Oriel was restarted"),
              ElementsAre("status running", "error Oriel was restarted", "completion error ",
                          "status idle"));
}

TEST(SessionRestart, MessagesThatWaitedForTheAgentAreNotSentLater) {
  TestSession session;
  session.message("one");
  TestSession again = restarted(session);
  EXPECT_THAT(again.interrupt("Oriel was restarted"),
              ElementsAre("error Oriel was restarted", "completion error "));
  EXPECT_EQ(again.last("completion").task_id, session.events().at(0).task_id);
  EXPECT_EQ(again.state().status, SessionStatus::kIdle);
  EXPECT_THAT(restarted(again).interrupt("once more"), IsEmpty());
}

TEST(SessionRestart, APermissionThatACrashLeftPendingIsWithdrawn) {
  TestSession session;
  session.start_task("one");
  session.agent(ask_to("p", "do"));
  const std::string permission_id = session.pending_id();
  TestSession again = restarted(session);
  EXPECT_THAT(again.interrupt("Oriel was restarted", session.turns()),
              ElementsAre("permission withdrawn do", "error Oriel was restarted",
                          "completion error ", "status idle"));
  const EventView resolved = again.last("permission");
  EXPECT_EQ(resolved.feed_type, "permission_resolved");
  EXPECT_EQ(text_of(resolved.data->at("permission_id")), permission_id);
  EXPECT_EQ(text_of(resolved.data->at("by")), "restart");
  EXPECT_EQ(resolved.task_id, session.state().task_id);
  ASSERT_FALSE(again.turns().empty());
  for (const Turn& turn : again.turns()) {
    if (turn.intent != TurnIntent::kQuestion) continue;
    EXPECT_EQ(text_of(to_json(turn.data).at("status")), "withdrawn");
  }
  EXPECT_THAT(restarted(again).interrupt("once more", again.turns()), IsEmpty());
}

TEST(SessionRestart, AFailedSessionStaysFailed) {
  TestSession session;
  session.start_task("one");
  session.gone("died");
  session.message("two");
  TestSession again = restarted(session);
  EXPECT_THAT(again.interrupt("Oriel was restarted"), Not(Contains("status idle")));
  EXPECT_EQ(again.state().status, SessionStatus::kFailed);
  EXPECT_EQ(again.state().reason, "the agent died");
}

}  // namespace
}  // namespace oriel
