#include "session/session_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A task in which the agent waits for a person.
TestSession asking(SessionLimits limits = {}) {
  TestSession session(limits);
  session.start_task("hi");
  session.agent(ask_to("p1", "write a file"));
  return session;
}

TEST(SessionPermission, AQuestionIsShownAndTheSessionAwaitsInput) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.agent(ask_to("p1", "write a file")),
              ElementsAre("status running", "permission pending write a file"));
  const EventView event = session.last("permission");
  EXPECT_EQ(event.feed_type, "permission_requested");
  EXPECT_EQ(event.tool_call_id, "t1");
  EXPECT_EQ(event.data->at("permission_id").as_string(), session.pending_id());
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  EXPECT_EQ(session.state().status, SessionStatus::kRunning);
}

TEST(SessionPermission, APersonsAnswerGoesToTheAgentAndWorkGoesOn) {
  TestSession session = asking();
  const std::string id = session.pending_id();
  EXPECT_THAT(session.answer(id, allow(true)),
              ElementsAre("permission allowed write a file", "> answer p1 yes"));
  const EventView event = session.last("permission");
  EXPECT_EQ(event.feed_type, "permission_resolved");
  EXPECT_EQ(event.data->at("by"), "ann");
  EXPECT_EQ(event.data->at("option_id"), "yes");
  EXPECT_EQ(session.state().state, WorkState::kProcessing);
  EXPECT_THAT(session.state().pending, IsEmpty());
  EXPECT_THAT(session.answer(id, allow(false)), ElementsAre("refused already_resolved"));
}

TEST(SessionPermission, AnAnswerThatIsNoneOfTheOptionsChangesNothing) {
  TestSession session = asking();
  Decision wrong = allow(true);
  wrong.is_allowed.reset();
  wrong.option_id = "maybe";
  EXPECT_THAT(session.answer(session.pending_id(), wrong), ElementsAre("refused invalid_answer"));
  EXPECT_THAT(session.answer("perm_x", allow(true)), ElementsAre("refused unknown_permission"));
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
}

TEST(SessionPermission, SeveralMayWaitAndTheLastAnswerEndsTheWaiting) {
  TestSession session = asking();
  session.agent(ask_to("p2", "run a command"));
  session.answer(session.pending_id(), allow(true));
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  session.agent(TextDelta{.message_id = "m", .text = "meanwhile"});
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  session.answer(session.pending_id(), allow(false));
  EXPECT_EQ(session.state().state, WorkState::kProcessing);
}

TEST(SessionPermission, QuestionsAreAnsweredInWords) {
  TestSession session;
  session.start_task("hi");
  session.agent(
      PermissionAsked{.id = "q1",
                      .tool_call_id = "",
                      .title = "Which?",
                      .input = nullptr,
                      .options = {},
                      .questions = {{.text = "Which?", .choices = {}, .takes_many = {}}}});
  Decision words = allow(true);
  words.is_allowed.reset();
  words.answers = {"blue"};
  EXPECT_THAT(session.answer(session.pending_id(), words),
              ElementsAre("permission answered Which?", "> answer q1 - blue"));
}

TEST(SessionPermission, ARuleAnswersAtOnceAndItIsShownWhatItSaid) {
  TestSession allowing({}, PermissionMode::kAllow);
  allowing.start_task("hi");
  EXPECT_THAT(allowing.agent(ask_to("p1", "write")),
              ElementsAre("status running", "permission allowed write", "> answer p1 yes"));
  EXPECT_EQ(allowing.last("permission").data->at("by"), "rule");
  EXPECT_EQ(allowing.state().state, WorkState::kProcessing);
  TestSession denying({}, PermissionMode::kDeny);
  denying.start_task("hi");
  EXPECT_THAT(denying.agent(ask_to("p1", "write")),
              ElementsAre("status running", "permission denied write", "> answer p1 no"));
}

TEST(SessionPermission, ARuleNeverAllowsForLongerThanOnce) {
  TestSession allowing({}, PermissionMode::kAllow);
  allowing.start_task("hi");
  PermissionAsked lasting = ask_to("p1", "write");
  std::erase_if(lasting.options, [](const PermissionOption& option) {
    return option.kind == OptionKind::kAllowOnce;
  });
  EXPECT_THAT(allowing.agent(lasting), Contains(testing::HasSubstr("allows once only")));
  EXPECT_FALSE(allowing.pending_id().empty());
  EXPECT_EQ(allowing.state().state, WorkState::kAwaitingInput);
}

TEST(SessionPermission, WhatNobodyAnswersIsRefusedInTime) {
  TestSession session = asking({.permission_timeout = 10min});
  const std::string id = session.pending_id();
  EXPECT_THAT(session.pass(10min - 1ms), IsEmpty());
  EXPECT_THAT(session.pass(1ms), ElementsAre("permission expired write a file", "> answer p1 no"));
  EXPECT_EQ(session.state().state, WorkState::kProcessing);
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
  EXPECT_THAT(session.answer(id, allow(true)), ElementsAre("refused already_resolved"));
}

TEST(SessionPermission, TheAgentMayWithdrawIt) {
  TestSession session = asking();
  EXPECT_THAT(session.agent(PermissionWithdrawn{.id = "other"}), IsEmpty());
  EXPECT_THAT(session.agent(PermissionWithdrawn{.id = "p1"}),
              ElementsAre("permission withdrawn write a file"));
  EXPECT_EQ(session.state().state, WorkState::kProcessing);
}

TEST(SessionPermission, CancellingWithdrawsItAndRefusesWhatIsAskedLater) {
  TestSession session = asking();
  const std::string id = session.pending_id();
  EXPECT_THAT(session.cancel(), ElementsAre("permission withdrawn write a file", "> cancel"));
  EXPECT_THAT(session.answer(id, allow(true)), ElementsAre("refused already_resolved"));
  EXPECT_THAT(session.agent(ask_to("p2", "one more")), ElementsAre("> answer p2 -"));
  EXPECT_THAT(session.state().pending, IsEmpty());
}

TEST(SessionPermission, TheTasksEndWithdrawsIt) {
  TestSession session = asking();
  EXPECT_THAT(session.agent(kDone), ElementsAre("permission withdrawn write a file",
                                                "completion completed ", "status idle"));
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

TEST(SessionPermission, WhileTheAgentStartsAnAnswerLeadsBackToTheWaitingMessage) {
  TestSession session;
  session.message("hi");
  EXPECT_THAT(session.agent(ask_to("p1", "trust this folder")),
              ElementsAre("permission pending trust this folder"));
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  session.answer(session.pending_id(), allow(true));
  EXPECT_EQ(session.state().state, WorkState::kCommanded);
  EXPECT_THAT(session.agent(kReady), Contains("> prompt hi"));
}

TEST(SessionPermission, BetweenTasksAnAnswerLeadsBackToRest) {
  TestSession session;
  session.start_task("hi");
  session.agent(kDone, ask_to("p1", "update"));
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  EXPECT_THAT(session.answer(session.pending_id(), allow(false)),
              ElementsAre("permission denied update", "> answer p1 no"));
  EXPECT_EQ(session.state().state, WorkState::kIdle);
  EXPECT_EQ(session.state().status, SessionStatus::kIdle);
}

TEST(SessionPermission, ATaskThatBeginsWhileSomebodyIsAskedAwaitsInputStill) {
  TestSession session;
  session.start_task("one");
  session.agent(kDone, ask_to("p1", "update"));
  session.message("two");
  session.agent(TextDelta{.message_id = "m", .text = "x"});
  EXPECT_EQ(session.state().state, WorkState::kAwaitingInput);
  session.answer(session.pending_id(), allow(true));
  EXPECT_EQ(session.state().state, WorkState::kProcessing);
}

TEST(SessionPermission, AnAgentThatDiesAtRestLeavesNoQuestionBehind) {
  TestSession session;
  session.start_task("hi");
  session.agent(kDone, ask_to("p1", "update"));
  EXPECT_THAT(session.gone("died"), SizeIs(2));
  EXPECT_THAT(session.state().pending, IsEmpty());
  EXPECT_EQ(session.state().state, WorkState::kIdle);
  EXPECT_EQ(session.session().wake_at(), std::nullopt);
}

}  // namespace
}  // namespace oriel
