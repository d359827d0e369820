#include "agent/adapters/droid_adapter.h"

#include "agent/adapters/adapter_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string response(std::string_view id, std::string_view rest) {
  return R"({"jsonrpc":"2.0","type":"response","id":")" + std::string(id) + "\"," +
         std::string(rest) + "}";
}

std::string note(std::string_view members) {
  return R"({"type":"notification","method":"droid.session_notification","params":{"notification":{)" +
         std::string(members) + "}}}";
}

std::string state(std::string_view name) {
  return note(R"("type":"droid_working_state_changed","newState":")" + std::string(name) + "\"");
}

std::string droid_delta(std::string_view text) {
  return note(R"("type":"assistant_text_delta","messageId":"a","textDelta":")" + std::string(text) +
              "\"");
}

std::string message(std::string_view content, std::string_view role = "assistant") {
  return note(R"("type":"create_message","message":{"id":"a","role":")" + std::string(role) +
              R"(","content":[)" + std::string(content) + "]}");
}

std::string droid_completed(std::string_view reason) {
  return note(R"("type":"agent_turn_completed","reason":")" + std::string(reason) +
              R"(","tokenUsage":{"inputTokens":5,"outputTokens":2,"cacheCreationTokens":1})");
}

constexpr const char* kDroidTool =
    R"({"type":"tool_use","id":"t","name":"Execute","input":{"command":"ls"}})";

constexpr const char* kPermission =
    R"({"type":"request","id":"p","method":"droid.request_permission","params":{"toolUses":[
       {"toolUse":{"id":"t","name":"Execute","input":{"command":"ls"}},"details":{"fullCommand":"ls"}},
       {"toolUse":{"id":"u","name":"Edit","input":{"x":1}},"details":{"filePath":"/w/a"}}],
       "options":[{"label":"Yes","value":"proceed_once"},{"label":"Always","value":"proceed_always"},
       {"label":"Low","value":"proceed_auto_run_low"},{"label":"No","value":"cancel"}]}})";

constexpr const char* kQuestion =
    R"({"type":"request","id":"q","method":"droid.ask_user","params":{"toolCallId":"t","questions":[
       {"index":1,"question":"Which?","options":["Red","Blue"]},
       {"index":2,"question":"Why?","multiSelect":true}]}})";

// A droid in its first task; the prompt is request 2.
class Droid : public testing::Test {
 protected:
  Droid() {
    adapter_.start({.workspace = "/w", .resume_id = "", .model = "m", .auth_method = ""});
    adapter_.receive(response("1", R"("result":{"sessionId":"s"})"));
    adapter_.prompt("hello");
  }

  DroidAdapter adapter_;
};

TEST(DroidStart, ChoosesEverythingInItsFirstRequest) {
  DroidAdapter adapter;
  const auto lines =
      sent(adapter.start({.workspace = "/w", .resume_id = "", .model = "m", .auth_method = ""}));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].at("method"), "droid.initialize_session");
  EXPECT_EQ(lines[0].at("id"), "1") << "ids are strings";
  EXPECT_EQ(lines[0].at("type"), "request");
  EXPECT_EQ(lines[0].at("params").at("cwd"), "/w");
  EXPECT_EQ(lines[0].at("params").at("modelId"), "m");
  EXPECT_EQ(lines[0].at("params").at("autonomyLevel"), "off");
  EXPECT_THAT(adapter.receive(response("1", R"("result":{"sessionId":"s"})")).events,
              ElementsAre(AgentReady{"s", ""}));
}

TEST(DroidStart, LoadsAnEarlierSessionOrSaysThatItCannot) {
  DroidAdapter adapter;
  const auto lines =
      sent(adapter.start({.workspace = "/w", .resume_id = "old", .model = "", .auth_method = ""}));
  EXPECT_EQ(lines.at(0).at("method"), "droid.load_session");
  EXPECT_EQ(lines.at(0).at("params").at("sessionId"), "old");
  const AgentStep refused =
      adapter.receive(response("1", R"("error":{"code":-32004,"message":"unknown"})"));
  EXPECT_EQ(of<AgentRefused>(refused).at(0).error.kind, ErrorKind::kCannotResume);
}

TEST_F(Droid, IdleBeforeItHasWorkedEndsNothing) {
  EXPECT_THAT(adapter_.receive(state("idle")).events, IsEmpty());
  EXPECT_THAT(receive(adapter_, {state("thinking"), state("idle")}).events,
              ElementsAre(TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Droid, ItsAnswerToAPromptMayComeBeforeOrAfterTheWork) {
  const AgentStep step =
      receive(adapter_, {state("thinking"), response("2", R"("result":{})"), state("idle")});
  EXPECT_THAT(step.events, ElementsAre(TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Droid, AMessageIsWhatItSaysAtItsEndAndOnlyOfTheAssistant) {
  const AgentStep step =
      receive(adapter_, {state("thinking"), message(R"({"type":"text","text":"hello"})", "user"),
                         droid_delta("Hi"),
                         message(R"({"type":"text","text":"Hi there"},)" + std::string(kDroidTool)),
                         note(R"("type":"tool_call","toolUse":)" + std::string(kDroidTool))});
  EXPECT_THAT(step.events, ElementsAre(TextDelta{"a", "Hi"}, TextFinished{"a", "Hi there"},
                                       ToolCalled{"t", "Execute", {{"command", "ls"}}}));
}

TEST_F(Droid, ARetrySaysTheTextAgainUnderTheSameName) {
  const AgentStep step =
      receive(adapter_,
              {state("thinking"), droid_delta("Hal"),
               note(R"("type":"llm_retry","attempt":1,"reason":"overloaded")"), droid_delta("Hal"),
               droid_delta("lo"), droid_completed("completed"), state("idle")});
  EXPECT_THAT(of<TextDropped>(step), ElementsAre(TextDropped{""}));
  EXPECT_THAT(of<TextFinished>(step), ElementsAre(TextFinished{"a", "Hallo"}));
  EXPECT_THAT(of<NoticeGiven>(step), SizeIs(1));
}

TEST_F(Droid, ARetractedMessageIsVoid) {
  const AgentStep step = receive(
      adapter_, {state("thinking"), droid_delta("Oops"),
                 note(R"("type":"assistant_message_retracted","messageId":"a")"), state("idle")});
  EXPECT_THAT(step.events, ElementsAre(TextDelta{"a", "Oops"}, TextDropped{"a"},
                                       TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Droid, ATextThatACancelCutIsFinishedWithWhatCame) {
  receive(adapter_, {state("thinking"), droid_delta("Hal")});
  const AgentStep cancel = adapter_.cancel();
  EXPECT_EQ(sent(cancel).at(0).at("method"), "droid.interrupt_session");
  const AgentStep step = receive(
      adapter_, {droid_completed("cancelled"), state("idle"), response("3", R"("result":{})")});
  EXPECT_THAT(of<TextFinished>(step), ElementsAre(TextFinished{"a", "Hal"}));
  EXPECT_THAT(of<TaskEnded>(step), ElementsAre(TaskEnded{TaskEnd::kCancelled, ""}));
}

TEST_F(Droid, AnOldVersionThatWasInterruptedEndsCancelled) {
  receive(adapter_, {state("thinking")});
  adapter_.cancel();
  EXPECT_THAT(receive(adapter_, {state("idle")}).events,
              ElementsAre(TaskEnded{TaskEnd::kCancelled, ""}));
}

TEST_F(Droid, AnErrorOfAnOldVersionEndsTheTaskWithIt) {
  const AgentStep step =
      receive(adapter_, {state("thinking"),
                         note(R"("type":"error","message":"400 {\"error\":{\"message\":\"no\"}}")"),
                         state("idle")});
  EXPECT_THAT(step.events, ElementsAre(ErrorReported{"400 no"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Droid, EveryReasonThatIsNotAnEndOrACancelIsAnErrorAndIsNamed) {
  const AgentStep step =
      receive(adapter_, {state("thinking"), droid_completed("model_rate_limited"), state("idle")});
  EXPECT_THAT(of<ErrorReported>(step), SizeIs(1));
  EXPECT_THAT(of<TaskEnded>(step), ElementsAre(TaskEnded{TaskEnd::kError, "model_rate_limited"}));
}

TEST_F(Droid, ARefusedPermissionIsNoError) {
  const AgentStep step =
      receive(adapter_, {state("thinking"), droid_completed("permission_rejected"), state("idle")});
  EXPECT_THAT(of<TaskEnded>(step),
              ElementsAre(TaskEnded{TaskEnd::kCompleted, "permission_rejected"}));
}

TEST_F(Droid, AnIdleDuringATaskEndsNothingIfTheVersionReportsCompletions) {
  receive(adapter_, {state("thinking"), droid_completed("completed"), state("idle")});
  adapter_.prompt("again");
  const AgentStep spurious =
      receive(adapter_, {state("executing_tool"), state("idle"), state("thinking")});
  EXPECT_THAT(spurious.events, IsEmpty());
  const AgentStep real = receive(adapter_, {droid_completed("process_exit"), state("idle")});
  EXPECT_THAT(of<TaskEnded>(real), ElementsAre(TaskEnded{TaskEnd::kError, "process_exit"}));
}

TEST_F(Droid, AToolHasOneResultHoweverOftenItIsReported) {
  const std::string result = note(
      R"("type":"tool_result","toolUseId":"t","content":[{"type":"text","text":"out"}],"isError":true)");
  const AgentStep step =
      receive(adapter_, {state("thinking"), message(kDroidTool), result, result});
  EXPECT_THAT(of<ToolFinished>(step), ElementsAre(ToolFinished{"t", false, "out"}));
}

TEST_F(Droid, APromptThatIsRefusedEndsItsTask) {
  const AgentStep step =
      adapter_.receive(response("2", R"("error":{"code":-32602,"message":"bad"})"));
  EXPECT_THAT(step.events, ElementsAre(ErrorReported{"bad"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Droid, OneQuestionMayBeAboutSeveralTools) {
  const AgentStep step = receive(adapter_, {state("thinking"), kPermission});
  EXPECT_THAT(of<ToolCalled>(step), SizeIs(2));
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.id, "p");
  EXPECT_EQ(asked.tool_call_id, "t");
  EXPECT_EQ(asked.title, "Execute: ls; Edit: /w/a");
  EXPECT_EQ(asked.input, json::parse(R"([{"command":"ls"},{"x":1}])"));
  EXPECT_EQ(asked.details, json::parse(R"([{"details":{"fullCommand":"ls"},"name":"Execute"},
                                           {"details":{"filePath":"/w/a"},"name":"Edit"}])"));
  EXPECT_THAT(asked.options,
              ElementsAre(PermissionOption{"proceed_once", "Yes", OptionKind::kAllowOnce},
                          PermissionOption{"proceed_always", "Always", OptionKind::kAllowAlways},
                          PermissionOption{"proceed_auto_run_low", "Low", OptionKind::kAllowAlways},
                          PermissionOption{"cancel", "No", OptionKind::kRejectOnce}));
  const auto lines = sent(adapter_.answer("p", {.option_id = "proceed_once", .answers = {}}));
  EXPECT_EQ(lines.at(0).at("id"), "p");
  EXPECT_EQ(lines.at(0).at("type"), "response");
  EXPECT_EQ(lines.at(0).at("result").at("selectedOption"), "proceed_once");
}

TEST_F(Droid, ARefusalWithoutAnOptionIsItsCancel) {
  receive(adapter_, {state("thinking"), kPermission});
  const auto lines = sent(adapter_.answer("p", {}));
  EXPECT_EQ(lines.at(0).at("result").at("selectedOption"), "cancel");
}

TEST_F(Droid, AQuestionTakesAnAnswerEach) {
  const AgentStep step = receive(adapter_, {state("thinking"), kQuestion});
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.title, "Which?");
  EXPECT_THAT(asked.questions,
              ElementsAre(Question{"Which?", {"Red", "Blue"}, false}, Question{"Why?", {}, true}));
  const auto lines = sent(adapter_.answer("q", {.option_id = "", .answers = {"Red", "warm"}}));
  EXPECT_EQ(lines.at(0).at("result"), json::parse(R"({"cancelled":false,"answers":[
                {"index":1,"question":"Which?","answer":"Red"},
                {"index":2,"question":"Why?","answer":"warm"}]})"));
}

TEST_F(Droid, CancelRefusesPermissionsAndQuestions) {
  receive(adapter_, {state("thinking"), kPermission, kQuestion});
  const AgentStep step = adapter_.cancel();
  const auto lines = sent(step);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[1].at("result").at("selectedOption"), "cancel");
  EXPECT_EQ(lines[2].at("result").at("cancelled"), true);
  EXPECT_THAT(step.events, ElementsAre(PermissionWithdrawn{"p"}, PermissionWithdrawn{"q"}));
}

TEST_F(Droid, APermissionThatWasResolvedElsewhereIsWithdrawn) {
  receive(adapter_, {state("thinking"), kPermission});
  EXPECT_THAT(adapter_.receive(note(R"("type":"permission_resolved","requestId":"p")")).events,
              ElementsAre(PermissionWithdrawn{"p"}));
  EXPECT_THAT(adapter_.answer("p", {}).lines, IsEmpty());
}

TEST_F(Droid, TheTasksUsageIsItsPartOfTheSessions) {
  const std::string total = R"("type":"session_token_usage_changed","tokenUsage":{"inputTokens":)";
  const AgentStep first =
      receive(adapter_, {state("thinking"), note(total + "100}"), state("idle")});
  EXPECT_EQ(of<UsageReported>(first).at(0).usage.input_tokens, 100);
  receive(adapter_, {note(total + "120}")});
  adapter_.prompt("again");
  const AgentStep second = receive(adapter_, {state("thinking"), note(total + "150}")});
  EXPECT_EQ(of<UsageReported>(second).at(0).usage.input_tokens, 30);
  const AgentStep end = adapter_.receive(droid_completed("completed"));
  EXPECT_EQ(json::value(to_json(of<UsageReported>(end).at(0).usage)),
            json::parse(R"({"input_tokens":5,"output_tokens":2,"cache_write_tokens":1})"));
}

TEST_F(Droid, WhatItsHelpersDoIsNotThisConversation) {
  receive(adapter_, {state("thinking")});
  const std::string other =
      R"({"type":"notification","method":"droid.session_notification","params":{"sessionId":"x","notification":{"type":"droid_working_state_changed","newState":"idle"}}})";
  EXPECT_THAT(adapter_.receive(other).events, IsEmpty());
}

TEST_F(Droid, RefusesWhatItDoesNotKnow) {
  const auto lines =
      sent(adapter_.receive(R"({"type":"request","id":"z","method":"droid.dance"})"));
  EXPECT_EQ(lines.at(0).at("error").at("code"), -32601);
}

TEST_F(Droid, SaysGoodbyeAndDoesNotMindThatItIsNotUnderstood) {
  EXPECT_EQ(sent(adapter_.close()).at(0).at("method"), "droid.close_session");
  EXPECT_THAT(
      adapter_.receive(R"({"type":"response","id":null,"error":{"code":-32601,"message":"no"}})")
          .events,
      IsEmpty());
}

}  // namespace
}  // namespace oriel
