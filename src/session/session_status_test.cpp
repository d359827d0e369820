#include "session/session_testing.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Session, ItsCreationIsSaid) {
  TestSession session;
  EXPECT_THAT(session.create(), ElementsAre("system session created"));
  const EventView& event = session.events().at(0);
  EXPECT_EQ(event.feed_type, "session_created");
  EXPECT_EQ(event.session_id, "ses_1");
  EXPECT_EQ(event.project_id, "project");
  EXPECT_EQ(session.state().created_at, session.now().wall);
  EXPECT_EQ(session.state().last_index, 0);
}

TEST(Session, TheFirstMessageStartsTheAgentAndIsSentWhenItIsReady) {
  TestSession session;
  EXPECT_THAT(session.message("hi"), ElementsAre("user hi", "> start"));
  EXPECT_FALSE(session.state().is_live);
  EXPECT_THAT(session.agent(AgentReady{.agent_session_id = "conv", .version = "1.0"}),
              ElementsAre("system the agent is ready: 1.0", "> prompt hi"));
  EXPECT_TRUE(session.state().is_live);
  EXPECT_EQ(session.state().agent_session_id, "conv");
  EXPECT_EQ(session.state().turns, 1U);
}

TEST(Session, ItSaysSinceWhenItIsCommanded) {
  TestSession session;
  session.create();
  session.pass(std::chrono::seconds(5));
  session.message("hi");
  const WallTime said_at = session.now().wall;
  session.pass(std::chrono::seconds(7));
  session.agent(AgentReady{.agent_session_id = "conv", .version = "1.0"});
  EXPECT_EQ(session.state().state, WorkState::kCommanded);
  EXPECT_EQ(session.state().state_since, said_at);
  session.agent(piece("x"));
  EXPECT_EQ(session.state().state_since, said_at + std::chrono::seconds(7));
}

TEST(R_TRUTH_4, AClockThatIsSetBackDoesNotReorderTheSession) {
  TestSession session;
  session.create();
  session.start_task("one");
  session.agent(piece("x"), kDone);
  session.set_back(std::chrono::hours(1));
  session.start_task("two");
  session.agent(piece("y"), kDone);
  EXPECT_TRUE(std::is_sorted(
      session.events().begin(), session.events().end(),
      [](const EventView& a, const EventView& b) { return a.timestamp < b.timestamp; }));
  std::vector<Turn> turns = session.turns();
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.key() < b.key(); });
  Lines texts;
  for (const Turn& turn : turns)
    texts.push_back(turn.text);
  EXPECT_THAT(texts, ElementsAre("one", "x", "two", "y"));
}

TEST(R_AGENT_4, AnErrorThatFailsTheTaskCancelsItAndItIsNotCompleted) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.agent(ErrorReported{.message = "too long", .fails_task = true}),
              ElementsAre("status running", "error too long", "> cancel"));
  session.agent(TaskEnded{});
  EXPECT_EQ(session.last("completion").status, "error");
}

TEST(R_LIVE_2, AStatusSaysRunningIdleFailedOrCompletedAndNothingElse) {
  TestSession session;
  session.create();
  session.start_task("one");
  session.agent(piece("x"), ask_to("p", "Write"), call("t"), kDone);
  session.start_task("two");
  session.agent(ErrorReported{.message = "no"}, TaskEnded{.reason = TaskEnd::kError, .detail = ""});
  session.start_task("three");
  session.cancel();
  session.agent(TaskEnded{.reason = TaskEnd::kCancelled, .detail = ""});
  session.start_task("four");
  session.gone("died");
  session.start_task("five");
  session.agent(piece("x"));
  session.interrupt("restart");
  session.end();

  Lines texts;
  for (const EventView& event : session.events()) {
    if (event.type != "status") continue;
    texts.push_back(event.text);
    EXPECT_EQ(event.status, event.text);
    EXPECT_EQ(event.feed_type, "session_event");
  }
  EXPECT_THAT(texts, ElementsAre("running", "idle", "running", "idle", "running", "idle", "running",
                                 "failed", "running", "idle", "completed"));
}

TEST(R_STATUS_1, OnlyTheFirstWorkOfATaskMakesItRunning) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.agent(TaskStarted{}), IsEmpty());
  EXPECT_EQ(session.state().status, SessionStatus::kIdle);
  EXPECT_THAT(session.agent(piece("he")), ElementsAre("status running", "delta he"));
  EXPECT_THAT(session.agent(piece("llo")), ElementsAre("delta llo"));
  EXPECT_EQ(session.state().status, SessionStatus::kRunning);
}

TEST(R_STATUS_1, AnyKindOfWorkMakesItRunning) {
  const std::vector<AgentEvent> kinds = {piece("x"),
                                         whole("x"),
                                         call("t"),
                                         ThoughtDelta{.text = "x"},
                                         ErrorReported{.message = "x"},
                                         ask_to("p", "x")};
  for (const AgentEvent& kind : kinds) {
    TestSession session;
    session.start_task("hi");
    EXPECT_EQ(session.agent(kind).at(0), "status running") << kind.index();
  }
}

TEST(R_STATUS_2, ACompletedTaskMakesItIdle) {
  TestSession session;
  session.start_task("hi");
  session.agent(whole("hello"));
  EXPECT_THAT(session.agent(kDone), ElementsAre("completion completed hello", "status idle"));
  EXPECT_EQ(session.state().status, SessionStatus::kIdle);
  EXPECT_EQ(session.state().last_text, "hello");
  EXPECT_THAT(session.states(), ElementsAre("commanded", "processing", "complete"));
}

TEST(R_STATUS_2, ATaskWithoutAnyWorkHasItsPairToo) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.agent(kDone),
              ElementsAre("status running", "completion completed ", "status idle"));
}

TEST(R_STATUS_2, AModelsErrorEndsTheTaskAndNotTheSession) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(
      session.agent(ErrorReported{.message = "overloaded"},
                    TaskEnded{.reason = TaskEnd::kError, .detail = "rate_limited"}),
      ElementsAre("status running", "error overloaded", "completion error ", "status idle"));
  EXPECT_EQ(session.last("completion").data->at("detail"), "rate_limited");
  EXPECT_THAT(session.message("again"), ElementsAre("user again", "> prompt again"));
}

TEST(R_STATUS_2, AnErrorThatTheAgentGotOverDoesNotSpoilTheTask) {
  TestSession session;
  session.start_task("hi");
  session.agent(ErrorReported{.message = "a hiccup"}, whole("hello"));
  EXPECT_THAT(session.agent(kDone), Contains("completion completed hello"));
}

TEST(R_STATUS_3, AnAgentThatDiesInATaskFailsWithAReason) {
  TestSession session;
  session.start_task("hi");
  session.agent(piece("hel"), call("t1"));
  EXPECT_THAT(session.gone("exited with code 1"),
              ElementsAre("error the agent exited with code 1",
                          "tool_result t1 error no result: the task ended before the tool did",
                          "completion error hel", "status failed: the agent exited with code 1"));
  EXPECT_EQ(session.state().reason, "the agent exited with code 1");
  EXPECT_EQ(session.state().state, WorkState::kIdle);
  EXPECT_FALSE(session.state().is_live);
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

TEST(R_STATUS_4, EachStatusEventIsATransition) {
  TestSession session;
  session.start_task("one");
  session.agent(piece("a"), call("t"), result("t", ""), kDone);
  session.start_task("two");
  session.gone("died");
  session.start_task("three");
  session.gone("died");
  session.end();
  std::string before = "idle";
  for (const EventView& event : session.events()) {
    if (event.type != "status") continue;
    EXPECT_NE(event.text, before);
    EXPECT_EQ(event.status, event.text);
    before = event.text;
  }
  EXPECT_EQ(before, "completed");
}

TEST(Session, AnAgentMayBeginATaskByItself) {
  TestSession session;
  session.start_task("hi");
  session.agent(kDone);
  const std::string first_task = session.state().task_id;
  session.agent(TaskStarted{});
  EXPECT_NE(session.state().task_id, first_task);
  EXPECT_EQ(session.state().turns, 2U);
  EXPECT_EQ(session.state().state, WorkState::kCommanded);
  EXPECT_THAT(session.message("wait"), ElementsAre("user wait"));
  EXPECT_THAT(session.agent(whole("news"), kDone),
              ElementsAre("status running", "message 1 news", "completion completed news",
                          "status idle", "> prompt wait"));
}

TEST(Session, HistoryThatAStartingAgentRepeatsIsNotATask) {
  TestSession session;
  session.message("hi");
  EXPECT_THAT(session.agent(TaskStarted{}, piece("old"), whole("old"), call("t"), result("t", ""),
                            UsageReported{.usage = parse_usage({{"input_tokens", 1}})}, kDone),
              IsEmpty());
  EXPECT_THAT(session.agent(kReady), Contains("> prompt hi"));
}

TEST(Session, OutsideATaskErrorsAreNoticesAndWorkIsIgnored) {
  TestSession session;
  session.start_task("hi");
  session.agent(kDone);
  EXPECT_THAT(session.agent(ErrorReported{.message = "a server is down"}, piece("x"), whole("x"),
                            call("t"), kDone),
              ElementsAre("system a server is down"));
}

}  // namespace
}  // namespace oriel
