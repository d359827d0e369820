#include "agent/adapters/claude_adapter.h"

#include "agent/adapters/adapter_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;

constexpr const char* kInit = R"({"type":"system","subtype":"init","session_id":"u"})";
constexpr const char* kStart = R"({"type":"stream_event","event":{"type":"message_start"}})";
constexpr const char* kReady =
    R"({"type":"control_response","response":{"subtype":"success","request_id":"oriel-initialize"}})";
constexpr const char* kDone =
    R"({"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"})";

std::string delta(std::string_view text) {
  return R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
         std::string(text) + "\"}}}";
}

std::string block(std::string_view content, std::string_view more = "") {
  return R"({"type":"assistant","message":{"id":"msg","content":[)" + std::string(content) + "]}" +
         std::string(more) + "}";
}

std::string said(std::string_view text) {
  return block(R"({"type":"text","text":")" + std::string(text) + "\"}");
}

constexpr const char* kTool =
    R"({"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}})";

std::string permission(std::string_view suggestions) {
  return R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t","input":{"command":"ls"},"permission_suggestions":)" +
         std::string(suggestions) + "}}";
}

// A claude in its first task.
class Claude : public testing::Test {
 protected:
  Claude() {
    adapter_.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""});
    adapter_.receive(kReady);
    adapter_.prompt("hello");
  }

  ClaudeAdapter adapter_{"u"};
};

TEST(ClaudeStart, NamesANewSessionItselfAndResumesByItsName) {
  const ClaudeAdapter adapter("u");
  const auto fresh =
      adapter.arguments({.workspace = "/w", .resume_id = "", .model = "m", .auth_method = ""});
  EXPECT_THAT(fresh, IsSupersetOf({"-p", "--verbose", "--permission-prompt-tool", "stdio",
                                   "--session-id", "u", "--model", "m"}));
  const auto resumed =
      adapter.arguments({.workspace = "/w", .resume_id = "old", .model = "", .auth_method = ""});
  EXPECT_THAT(resumed, IsSupersetOf({"--resume", "old"}));
  EXPECT_THAT(resumed, testing::Not(Contains("--session-id")));
}

TEST(ClaudeStart, EachNewSessionHasAnotherName) {
  const AgentStart start;
  EXPECT_NE(make_adapter(AdapterKind::kClaude)->arguments(start),
            make_adapter(AdapterKind::kClaude)->arguments(start));
}

TEST(ClaudeStart, IsReadyWhenItAnswersBeforeTheFirstPrompt) {
  ClaudeAdapter adapter("u");
  const auto lines = sent(adapter.start({}));
  EXPECT_EQ(lines.at(0).at("request").at("subtype"), "initialize");
  EXPECT_THAT(adapter.receive(kReady).events, ElementsAre(AgentReady{"u", ""}));
  EXPECT_THAT(adapter.receive(kReady).events, IsEmpty());
}

TEST(ClaudeStart, SaysThatItCannotResumeFromThere) {
  ClaudeAdapter adapter("u");
  adapter.start({.workspace = "/w", .resume_id = "old", .model = "", .auth_method = ""});
  const AgentStep step = adapter.receive(
      R"({"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found"]})");
  const auto refused = of<AgentRefused>(step);
  ASSERT_THAT(refused, SizeIs(1));
  EXPECT_EQ(refused[0].error.kind, ErrorKind::kCannotResume);
  EXPECT_THAT(refused[0].error.message, HasSubstr("No conversation found"));
}

TEST(ClaudeStart, AnErrorOfTheLoginDoesNotLoseTheConversation) {
  ClaudeAdapter adapter("u");
  adapter.start({.workspace = "/w", .resume_id = "old", .model = "", .auth_method = ""});
  const AgentStep step = adapter.receive(
      R"({"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login"})");
  EXPECT_EQ(of<AgentRefused>(step).at(0).error.kind, ErrorKind::kAgentRefused);
}

TEST_F(Claude, EveryTaskBeginsWithAnInitAndStartsOnce) {
  EXPECT_THAT(adapter_.receive(kInit).events, IsEmpty());
  adapter_.receive(kDone);
  EXPECT_THAT(of<TaskStarted>(adapter_.prompt("again")), SizeIs(1));
  EXPECT_THAT(adapter_.receive(kInit).events, IsEmpty());
}

TEST_F(Claude, ATaskThatItBeginsByItselfIsATask) {
  adapter_.receive(kDone);
  EXPECT_THAT(receive(adapter_, {kInit, said("A job is done."), kDone}).events,
              ElementsAre(TaskStarted{}, TextFinished{"m1", "A job is done."},
                          TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Claude, EachBlockOfAMessageIsALineAndEachTextAMessage) {
  const AgentStep step = receive(
      adapter_,
      {kInit, kStart, delta("On"), delta("e"), said("One"), block(kTool),
       R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"out"}]}})",
       kStart, delta("Two"), said("Two"), kDone});
  EXPECT_THAT(step.events,
              ElementsAre(TextDelta{"m1", "On"}, TextDelta{"m1", "e"}, TextFinished{"m1", "One"},
                          ToolCalled{"t", "Bash", {{"command", "ls"}}},
                          ToolFinished{"t", true, "out"}, TextDelta{"m2", "Two"},
                          TextFinished{"m2", "Two"}, TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Claude, WhatWasBegunBeforeTheModelIsAskedAgainIsVoid) {
  const AgentStep step =
      receive(adapter_, {kStart, delta("Hal"), kStart, delta("Hallo"), said("Hallo")});
  EXPECT_THAT(step.events, ElementsAre(TextDelta{"m1", "Hal"}, TextDropped{""},
                                       TextDelta{"m2", "Hallo"}, TextFinished{"m2", "Hallo"}));
}

TEST_F(Claude, SuccessIsNoErrorAndNotTheWordSuccess) {
  const AgentStep step = receive(
      adapter_,
      {block(R"({"type":"text","text":"API Error: 400 no"})", R"(,"error":"unknown")"),
       R"({"type":"result","subtype":"success","is_error":true,"api_error_status":400,"result":"API Error: 400 no"})"});
  EXPECT_THAT(step.events,
              ElementsAre(ErrorReported{"API Error: 400 no"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Claude, AnInterruptedTaskIsCancelledAlthoughItsResultIsAnError) {
  adapter_.receive(delta("Hal"));
  const AgentStep cancel = adapter_.cancel();
  EXPECT_EQ(sent(cancel).at(0).at("request").at("subtype"), "interrupt");
  const AgentStep step = receive(
      adapter_,
      {R"({"type":"control_response","response":{"subtype":"success","request_id":"oriel-1"}})",
       R"({"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"})"});
  EXPECT_THAT(step.events,
              ElementsAre(TextFinished{"m1", "Hal"}, TaskEnded{TaskEnd::kCancelled, ""}));
}

TEST_F(Claude, CostIsTheTasksAlthoughTheProgramAddsItUp) {
  const auto result = [](const char* cost) {
    return R"({"type":"result","subtype":"success","is_error":false,"total_cost_usd":)" +
           std::string(cost) +
           R"(,"usage":{"input_tokens":3,"output_tokens":2,"cache_read_input_tokens":1,"cache_creation_input_tokens":0}})";
  };
  const AgentStep first = adapter_.receive(result("0.5"));
  EXPECT_EQ(
      json::value(to_json(of<UsageReported>(first).at(0).usage)),
      json::parse(
          R"({"input_tokens":3,"output_tokens":2,"cache_read_tokens":1,"cache_write_tokens":0,"cost_usd":0.5})"));
  adapter_.prompt("again");
  EXPECT_EQ(of<UsageReported>(adapter_.receive(result("0.75"))).at(0).usage.cost_usd, 0.25);
}

TEST_F(Claude, OffersToAllowOnceOrToRefuse) {
  const AgentStep step = adapter_.receive(permission(R"([{"type":"allow","label":"x"}])"));
  EXPECT_THAT(of<ToolCalled>(step), SizeIs(1));
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.id, "r");
  EXPECT_EQ(asked.tool_call_id, "t");
  EXPECT_EQ(asked.title, "Bash: ls");
  EXPECT_THAT(asked.options,
              ElementsAre(PermissionOption{"allow_once", "Allow", OptionKind::kAllowOnce},
                          PermissionOption{"reject_once", "Refuse", OptionKind::kRejectOnce}));
  const auto lines = sent(adapter_.answer("r", {.option_id = "allow_once", .answers = {}}));
  EXPECT_EQ(
      lines.at(0),
      json::parse(
          R"({"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"behavior":"allow","updatedInput":{"command":"ls"}}}})"));
}

TEST_F(Claude, OffersTheRulesThatItSuggestsAsAlways) {
  const std::string rules = R"([{"type":"addRules","behavior":"allow","destination":"session"}])";
  const AgentStep step = adapter_.receive(permission(rules));
  EXPECT_THAT(of<PermissionAsked>(step).at(0).options, SizeIs(3));
  const auto lines = sent(adapter_.answer("r", {.option_id = "allow_always", .answers = {}}));
  EXPECT_EQ(lines.at(0).at("response").at("response").at("updatedPermissions"), json::parse(rules));
}

TEST_F(Claude, AlwaysSaysWhichRulesItSends) {
  const AgentStep step = adapter_.receive(permission(
      R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"},{"toolName":"Read"}],"behavior":"allow","destination":"localSettings"},)"
      R"({"type":"addDirectories","directories":["/w"],"destination":"session"},)"
      R"({"type":"setMode","mode":"acceptEdits","destination":"session"},)"
      R"({"type":"addRules","rules":[{"toolName":"Bash","until":"ever"}],"destination":"session"}])"));
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.options.at(1).scope,
            "addRules allow: Bash(ls *), Read, in localSettings\n"
            "addDirectories: /w, in session\n"
            "setMode: acceptEdits, in session\n"
            R"({"type":"addRules","rules":[{"toolName":"Bash","until":"ever"}],)"
            R"("destination":"session"})");
  EXPECT_TRUE(asked.details.is_null());
}

TEST_F(Claude, WhatElseItSaysIsKept) {
  const AgentStep step = adapter_.receive(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Shell","tool_use_id":"t","input":{},"blocked_path":"/etc","decision_reason":"why","permission_suggestions":[{"type":"allow","label":"x"}]}})");
  EXPECT_EQ(of<PermissionAsked>(step).at(0).details,
            json::parse(R"({"display_name":"Shell","blocked_path":"/etc","decision_reason":"why",
                            "permission_suggestions":[{"type":"allow","label":"x"}]})"));
}

TEST_F(Claude, WhateverIsNotAnAllowanceIsARefusal) {
  for (const char* option : {"", "reject_once", "nonsense"}) {
    adapter_.receive(permission("null"));
    const auto lines = sent(adapter_.answer("r", {.option_id = option, .answers = {}}));
    EXPECT_EQ(lines.at(0).at("response").at("response").at("behavior"), "deny") << option;
  }
}

TEST_F(Claude, AQuestionToThePersonIsAnsweredThroughItsInput) {
  const AgentStep step = adapter_.receive(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t","input":{"questions":[{"question":"Which?","options":[{"label":"Red"},{"label":"Blue"}],"multiSelect":false}]}}})");
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_THAT(asked.questions, ElementsAre(Question{"Which?", {"Red", "Blue"}, false}));
  EXPECT_THAT(asked.options, IsEmpty());
  const auto lines = sent(adapter_.answer("r", {.option_id = "", .answers = {"Red"}}));
  const json::value& reply = lines.at(0).at("response").at("response");
  EXPECT_EQ(reply.at("behavior"), "allow");
  EXPECT_EQ(reply.at("updatedInput").at("answers").at("Which?"), "Red");
}

TEST_F(Claude, CancelRefusesWhatItWaitsFor) {
  adapter_.receive(permission("null"));
  const AgentStep step = adapter_.cancel();
  const auto lines = sent(step);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[1].at("response").at("response").at("behavior"), "deny");
  EXPECT_THAT(step.events, ElementsAre(PermissionWithdrawn{"r"}));
}

TEST_F(Claude, MayWithdrawAQuestion) {
  adapter_.receive(permission("null"));
  EXPECT_THAT(adapter_.receive(R"({"type":"control_cancel_request","request_id":"r"})").events,
              ElementsAre(PermissionWithdrawn{"r"}));
  EXPECT_THAT(adapter_.answer("r", {.option_id = "allow_once", .answers = {}}).lines, IsEmpty());
}

TEST_F(Claude, RefusesControlThatIsNotOffered) {
  const auto lines = sent(adapter_.receive(
      R"({"type":"control_request","request_id":"h","request":{"subtype":"hook_callback"}})"));
  EXPECT_EQ(lines.at(0).at("response").at("subtype"), "error");
  EXPECT_EQ(lines.at(0).at("response").at("request_id"), "h");
}

TEST_F(Claude, TheWordsOfAHelperAreNotItsAnswerButTheToolsAreTools) {
  const AgentStep step = receive(
      adapter_,
      {block(R"({"type":"text","text":"inner"},)" + std::string(kTool),
             R"(,"parent_tool_use_id":"p")"),
       R"({"type":"stream_event","parent_tool_use_id":"p","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}})"});
  EXPECT_THAT(step.events, ElementsAre(ToolCalled{"t", "Bash", {{"command", "ls"}}}));
}

}  // namespace
}  // namespace oriel
