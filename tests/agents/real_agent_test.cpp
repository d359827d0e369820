// Real agents, driven through the whole server, with a scripted model instead of a hosted one.

#include "agent_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> statuses(const Events& events) {
  std::vector<std::string> texts;
  for (const Event& event : of_type(events, "status"))
    texts.push_back(string_of(event, "text"));
  return texts;
}

// All pieces of what the assistant said.
std::string text_of_deltas(const Events& events) {
  std::string text;
  for (const Event& event : of_type(events, "delta")) {
    if (string_of(event, "role") == "assistant") text += string_of(event, "text");
  }
  return text;
}

// A task in which every permission that is asked for is given.
Events task_with_all_allowed(SessionClient& session, std::string_view message) {
  session.send(message);
  Events events;
  while (true) {
    const Events more = session.until([](const Event& event) {
      const bool is_asked = string_of(event, "status") == "pending";
      const bool is_rest = string_of(event, "text") != "running";
      return (string_of(event, "type") == "permission" && is_asked) ||
             (string_of(event, "type") == "status" && is_rest);
    });
    events.insert(events.end(), more.begin(), more.end());
    if (string_of(more.back(), "type") == "status") return events;
    EXPECT_EQ(session.decide("allow").status, 200);
  }
}

class RealAgents : public testing::TestWithParam<RealAgent> {
 protected:
  void SetUp() override {
    const std::string problem = why_not_installed(GetParam());
    const bool is_needed = std::getenv("ORIEL_AGENTS_NEEDED") != nullptr;
    if (!problem.empty() && is_needed) FAIL() << problem;
    if (!problem.empty()) GTEST_SKIP() << problem;
    fixture_ = std::make_unique<AgentFixture>(GetParam());
  }

  std::unique_ptr<AgentFixture> fixture_;
};

TEST_P(RealAgents, ATaskWithText) {
  SessionClient session = fixture_->start_session();
  const Events events = session.task("Hello there");
  EXPECT_THAT(statuses(events), ElementsAre("running", "idle")) << to_text(events);
  EXPECT_EQ(end_of_task(events), "completed");
  EXPECT_EQ(final_answer(events), "This is the scripted answer.");
  EXPECT_EQ(text_of_deltas(events), "This is the scripted answer.");
  EXPECT_THAT(of_type(events, "error"), IsEmpty());
  EXPECT_EQ(session.status(), "idle");
  EXPECT_EQ(final_answer(session.task("[[think:Hm.]] And again")), "This is the scripted answer.");
}

TEST_P(RealAgents, ATaskWithAToolCall) {
  SessionClient session = fixture_->start_session();
  const Events events = task_with_all_allowed(session, "[[run:cat notes.txt]]");
  const Events calls = of_type(events, "tool_call");
  const Events results = of_type(events, "tool_result");
  ASSERT_THAT(calls, SizeIs(Ge(1u))) << to_text(events);
  ASSERT_THAT(results, SizeIs(1)) << to_text(events);
  EXPECT_NE(string_of(calls.front(), "tool_name"), "");
  EXPECT_THAT(string_of(calls.back(), "text"), HasSubstr("cat notes.txt"));
  EXPECT_EQ(string_of(results.front(), "tool_call_id"), string_of(calls.front(), "tool_call_id"));
  EXPECT_EQ(string_of(results.front(), "status"), "ok");
  EXPECT_THAT(string_of(results.front(), "text"), HasSubstr("alpha"));
  EXPECT_EQ(end_of_task(events), "completed");
  EXPECT_THAT(final_answer(events), HasSubstr("The tool said:"));
}

TEST_P(RealAgents, WhatIsAllowedIsDoneAndWhatIsRefusedIsNot) {
  SessionClient session = fixture_->start_session();
  session.send("[[run:touch allowed.txt]]");
  session.until_asked();
  EXPECT_EQ(session.state().at("state").as_string(), "awaiting_input");
  EXPECT_FALSE(fs::exists(fixture_->workspace() / "allowed.txt"));
  EXPECT_EQ(session.decide("allow").status, 200);
  const Events allowed = session.until_rest();
  EXPECT_TRUE(fs::exists(fixture_->workspace() / "allowed.txt")) << to_text(allowed);
  EXPECT_EQ(end_of_task(allowed), "completed");

  session.send("[[run:touch refused.txt]]");
  session.until_asked();
  EXPECT_EQ(session.decide("deny").status, 200);
  const Events refused = session.until_rest();
  EXPECT_FALSE(fs::exists(fixture_->workspace() / "refused.txt")) << to_text(refused);
  const Events results = of_type(refused, "tool_result");
  ASSERT_THAT(results, SizeIs(1)) << to_text(refused);
  EXPECT_EQ(string_of(results.front(), "status"), "error");
  EXPECT_EQ(session.status(), "idle");
  EXPECT_EQ(final_answer(session.task("[[note:on]] Go on")), "This is the scripted answer.");
}

TEST_P(RealAgents, AnInterruptEndsTheTaskAndNotTheSession) {
  SessionClient session = fixture_->start_session();
  session.send("[[slow:200]]");
  session.until([](const Event& event) {
    return string_of(event, "type") == "delta" && string_of(event, "role") == "assistant";
  });
  EXPECT_EQ(session.cancel().status, 202);
  const Events events = session.until_rest(kPatience);
  EXPECT_EQ(end_of_task(events), "cancelled") << to_text(events);
  EXPECT_THAT(final_answer(events), HasSubstr("piece 1"));
  EXPECT_EQ(session.status(), "idle");
  EXPECT_EQ(final_answer(session.task("[[note:on]] Go on")), "This is the scripted answer.");
}

TEST_P(RealAgents, AModelErrorEndsTheTaskAndNotTheSession) {
  SessionClient session = fixture_->start_session();
  const Events events = session.task("[[error:400]]");
  EXPECT_EQ(end_of_task(events), "error") << to_text(events);
  const Events errors = of_type(events, "error");
  ASSERT_THAT(errors, SizeIs(Ge(1u))) << to_text(events);
  EXPECT_THAT(string_of(errors.front(), "text"), HasSubstr("scripted error 400"));
  EXPECT_EQ(session.status(), "idle");
  EXPECT_EQ(final_answer(session.task("[[note:on]] Go on")), "This is the scripted answer.");
}

TEST_P(RealAgents, AKilledAgentIsAFailureWithAReasonAndLeavesNothing) {
  SessionClient session = fixture_->start_session();
  session.task("Hello there");
  session.send("[[slow:200]]");
  session.until([](const Event& event) { return string_of(event, "type") == "delta"; });
  const std::vector<pid_t> pids = fixture_->processes();
  const auto is_root = [&](pid_t pid) {
    return std::find(pids.begin(), pids.end(), parent_of(pid)) == pids.end();
  };
  const auto root = std::find_if(pids.begin(), pids.end(), is_root);
  ASSERT_NE(root, pids.end());
  ASSERT_EQ(kill(*root, SIGKILL), 0);
  const Events events = session.until_rest(kPatience);
  EXPECT_EQ(string_of(events.back(), "text"), "failed") << to_text(events);
  EXPECT_EQ(end_of_task(events), "error");
  EXPECT_THAT(string_of(session.state(), "reason"), HasSubstr("SIGKILL"));
  EXPECT_TRUE(eventually([&] { return fixture_->processes().empty(); }))
      << describe_processes(fixture_->processes());
}

TEST_P(RealAgents, AfterARestartTheNextMessageGoesOnWithTheConversation) {
  std::string id;
  {
    SessionClient session = fixture_->start_session();
    session.task("[[note:violet]] Keep this in mind");
    id = session.id();
  }
  fixture_->restart();
  SessionClient session(fixture_->server(), id);
  EXPECT_EQ(session.status(), "idle");
  EXPECT_THAT(fixture_->processes(), IsEmpty());
  const Events events = session.task("[[recall]]");
  EXPECT_EQ(final_answer(events), "You noted: violet.") << to_text(events);
  EXPECT_EQ(end_of_task(events), "completed");
}

std::string name_of(const testing::TestParamInfo<RealAgent>& agent) {
  return agent.param.name;
}

INSTANTIATE_TEST_SUITE_P(R_AGENT_1, RealAgents, testing::Values(droid()), name_of);
INSTANTIATE_TEST_SUITE_P(R_AGENT_2, RealAgents, testing::Values(qwen()), name_of);
INSTANTIATE_TEST_SUITE_P(More, RealAgents, testing::Values(claude(), codex()), name_of);

}  // namespace
}  // namespace oriel
