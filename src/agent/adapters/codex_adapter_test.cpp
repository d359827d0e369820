#include "agent/adapters/codex_adapter.h"

#include "agent/adapters/adapter_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string note(std::string_view method, std::string_view params) {
  return R"({"method":")" + std::string(method) + R"(","params":{"threadId":"th",)" +
         std::string(params) + "}}";
}

std::string item(std::string_view when, std::string_view members) {
  return note("item/" + std::string(when), R"("item":{)" + std::string(members) + "}");
}

std::string completed(std::string_view status) {
  return note("turn/completed", R"("turn":{"id":"tu","status":")" + std::string(status) +
                                    R"(","error":{"message":"why"}})");
}

constexpr const char* kTurn = R"({"id":3,"result":{"turn":{"id":"tu"}}})";
constexpr const char* kThread = R"({"id":2,"result":{"thread":{"id":"th","cliVersion":"0.1"}}})";
constexpr const char* kCommand =
    R"("type":"commandExecution","id":"c","command":"ls","cwd":"/w","status":"inProgress")";
constexpr const char* kApproval =
    R"({"id":0,"method":"item/commandExecution/requestApproval","params":{"threadId":"th","itemId":"c","command":"ls","availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{}},"cancel"]}})";

// A codex in its first task; the prompt is request 3.
class Codex : public testing::Test {
 protected:
  Codex() {
    adapter_.start({.workspace = "/w", .resume_id = "", .model = "m", .auth_method = ""});
    receive(adapter_, {R"({"id":1,"result":{}})", kThread});
    adapter_.prompt("hello");
  }

  CodexAdapter adapter_;
};

TEST(CodexStart, OpensAThreadInTheWorkspaceThatAsksBeforeItActs) {
  CodexAdapter adapter;
  EXPECT_THAT(adapter.arguments({}), ElementsAre("app-server"));
  const auto hello =
      sent(adapter.start({.workspace = "/w", .resume_id = "", .model = "m", .auth_method = ""}));
  EXPECT_EQ(hello.at(0).at("method"), "initialize");
  EXPECT_FALSE(hello.at(0).as_object().contains("jsonrpc"));
  const auto lines = sent(adapter.receive(R"({"id":1,"result":{}})"));
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0], json::parse(R"({"method":"initialized"})"));
  EXPECT_EQ(lines[1].at("method"), "thread/start");
  EXPECT_EQ(lines[1].at("params").at("cwd"), "/w");
  EXPECT_EQ(lines[1].at("params").at("model"), "m");
  EXPECT_EQ(lines[1].at("params").at("approvalPolicy"), "untrusted");
  EXPECT_THAT(adapter.receive(kThread).events, ElementsAre(AgentReady{"th", "0.1"}));
}

TEST(CodexStart, ResumesAThreadOrSaysThatItCannot) {
  CodexAdapter adapter;
  adapter.start({.workspace = "/w", .resume_id = "old", .model = "", .auth_method = ""});
  const auto lines = sent(adapter.receive(R"({"id":1,"result":{}})"));
  EXPECT_EQ(lines.at(1).at("method"), "thread/resume");
  EXPECT_EQ(lines.at(1).at("params").at("threadId"), "old");
  const AgentStep refused =
      adapter.receive(R"({"id":2,"error":{"code":-32600,"message":"no rollout"}})");
  EXPECT_EQ(of<AgentRefused>(refused).at(0).error.kind, ErrorKind::kCannotResume);
}

TEST_F(Codex, ATaskIsItsItems) {
  const AgentStep step = receive(
      adapter_,
      {kTurn, note("turn/started", R"("turn":{"id":"tu"})"),
       item("started", R"("type":"userMessage","id":"u")"),
       note("item/reasoning/summaryTextDelta", R"("itemId":"r","delta":"hm")"),
       note("item/agentMessage/delta", R"("itemId":"a","delta":"Hi")"),
       item("completed", R"("type":"agentMessage","id":"a","text":"Hi")"),
       item("started", kCommand),
       item(
           "completed",
           R"("type":"commandExecution","id":"c","status":"completed","exitCode":0,"aggregatedOutput":"out")"),
       completed("completed")});
  EXPECT_THAT(step.events,
              ElementsAre(ThoughtDelta{"hm"}, TextDelta{"a", "Hi"}, TextFinished{"a", "Hi"},
                          ToolCalled{"c", "shell", {{"command", "ls"}, {"cwd", "/w"}}},
                          ToolFinished{"c", true, "out"}, TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Codex, ACommandThatFailsOrIsDeclinedIsNotOk) {
  const AgentStep step = receive(
      adapter_,
      {item(
           "completed",
           R"("type":"commandExecution","id":"a","status":"completed","exitCode":2,"aggregatedOutput":"x")"),
       item(
           "completed",
           R"("type":"commandExecution","id":"b","status":"declined","exitCode":null,"aggregatedOutput":null)")});
  EXPECT_THAT(of<ToolFinished>(step),
              ElementsAre(ToolFinished{"a", false, "x"}, ToolFinished{"b", false, "declined"}));
}

TEST_F(Codex, FilesSearchesAndOtherServersToolsAreTools) {
  const AgentStep step = receive(
      adapter_,
      {item(
           "completed",
           R"("type":"fileChange","id":"f","status":"completed","changes":[{"path":"/w/a"},{"path":"/w/b"}])"),
       item("completed", R"("type":"webSearch","id":"s","query":"q")"),
       item(
           "completed",
           R"("type":"mcpToolCall","id":"m","server":"db","tool":"get","arguments":{"k":1},"status":"failed","error":{"message":"down"})")});
  EXPECT_THAT(of<ToolFinished>(step),
              ElementsAre(ToolFinished{"f", true, "/w/a\n/w/b"}, ToolFinished{"s", true, ""},
                          ToolFinished{"m", false, "down"}));
  EXPECT_EQ(of<ToolCalled>(step).at(2).name, "db.get");
}

TEST_F(Codex, AnInterruptNeedsTheTurnsNameAndWaitsForIt) {
  EXPECT_THAT(adapter_.cancel().lines, IsEmpty());
  const auto lines = sent(adapter_.receive(kTurn));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].at("method"), "turn/interrupt");
  EXPECT_EQ(lines[0].at("params").at("turnId"), "tu");
  EXPECT_THAT(sent(adapter_.receive(note("turn/started", R"("turn":{"id":"tu"})"))), IsEmpty());
}

TEST_F(Codex, AnInterruptedCommandIsClosedForIt) {
  receive(adapter_, {kTurn, item("started", kCommand)});
  EXPECT_EQ(sent(adapter_.cancel()).at(0).at("method"), "turn/interrupt");
  const AgentStep step = adapter_.receive(completed("interrupted"));
  EXPECT_FALSE(of<ToolFinished>(step).at(0).is_ok);
  EXPECT_THAT(of<TaskEnded>(step), ElementsAre(TaskEnded{TaskEnd::kCancelled, ""}));
}

TEST_F(Codex, AnErrorThatItRetriesIsOnlyANotice) {
  const AgentStep retried =
      adapter_.receive(note("error", R"("error":{"message":"slow"},"willRetry":true)"));
  EXPECT_THAT(retried.events, ElementsAre(NoticeGiven{"slow"}));
  const AgentStep failed = receive(
      adapter_,
      {note("error", R"("error":{"message":"no"},"willRetry":false)"), completed("failed")});
  EXPECT_THAT(failed.events, ElementsAre(ErrorReported{"no"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Codex, AFailedTaskReportsItsErrorIfNothingElseDid) {
  EXPECT_THAT(adapter_.receive(completed("failed")).events,
              ElementsAre(ErrorReported{"why"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Codex, APromptThatIsRefusedEndsItsTask) {
  EXPECT_THAT(adapter_.receive(R"({"id":3,"error":{"code":-32600,"message":"bad"}})").events,
              ElementsAre(ErrorReported{"bad"}, TaskEnded{TaskEnd::kError, ""}));
}

TEST_F(Codex, AsksAndTakesADecision) {
  const AgentStep step = receive(adapter_, {item("started", kCommand), kApproval});
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.id, "0");
  EXPECT_EQ(asked.tool_call_id, "c");
  EXPECT_EQ(asked.title, "Run: ls");
  EXPECT_THAT(asked.options,
              ElementsAre(PermissionOption{"accept", "Allow", OptionKind::kAllowOnce},
                          PermissionOption{"decline", "Refuse", OptionKind::kRejectOnce}))
      << "for the session only where codex offers it";
  const auto lines = sent(adapter_.answer("0", {.option_id = "accept", .answers = {}}));
  EXPECT_EQ(lines.at(0), json::parse(R"({"id":0,"result":{"decision":"accept"}})"));
}

TEST_F(Codex, AnApprovalOfAChangeHasTheChangesOfItsItem) {
  const AgentStep step = receive(
      adapter_,
      {item("started",
            R"("type":"fileChange","id":"f","changes":[{"path":"a","diff":"@@\n+x\n"}])"),
       R"({"id":0,"method":"item/fileChange/requestApproval","params":{"itemId":"f","reason":"r"}})"});
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.details, json::parse(R"({"changes":[{"path":"a","diff":"@@\n+x\n"}]})"));
  EXPECT_EQ(asked.options.at(1).scope, "changes of the same files, until the session ends");
}

TEST_F(Codex, KnowsTheOldWordsForApprovals) {
  const AgentStep step = adapter_.receive(
      R"({"id":7,"method":"execCommandApproval","params":{"callId":"c","command":["ls","-l"]}})");
  EXPECT_THAT(of<PermissionAsked>(step).at(0).options, SizeIs(3));
  EXPECT_EQ(of<PermissionAsked>(step).at(0).tool_call_id, "c");
  EXPECT_EQ(sent(adapter_.answer("7", {})).at(0).at("result").at("decision"), "denied");
}

TEST_F(Codex, CancelDeclinesWhatItWaitsFor) {
  receive(adapter_, {kTurn, item("started", kCommand), kApproval});
  const AgentStep step = adapter_.cancel();
  const auto lines = sent(step);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[1].at("result").at("decision"), "decline");
  EXPECT_THAT(step.events, ElementsAre(PermissionWithdrawn{"0"}));
}

TEST_F(Codex, AnApprovalThatWasResolvedElsewhereIsWithdrawn) {
  receive(adapter_, {item("started", kCommand), kApproval});
  EXPECT_THAT(adapter_.receive(note("serverRequest/resolved", R"("requestId":0)")).events,
              ElementsAre(PermissionWithdrawn{"0"}));
}

TEST_F(Codex, UsageIsTheTasksPartOfTheThreads) {
  const auto usage = [](int total, int last) {
    return note("thread/tokenUsage/updated",
                R"("tokenUsage":{"total":{"inputTokens":)" + std::to_string(total) +
                    R"(},"last":{"inputTokens":)" + std::to_string(last) +
                    R"(,"totalTokens":9},"modelContextWindow":1000})");
  };
  const AgentStep step = receive(adapter_, {usage(110, 10), usage(125, 15)});
  EXPECT_EQ(json::value(to_json(of<UsageReported>(step).at(1).usage)),
            json::parse(R"({"input_tokens":25,"context_size":1000,"context_used":9})"));
}

std::string usage_of_turn(std::string_view turn, int total, int last) {
  return note("thread/tokenUsage/updated",
              R"("turnId":")" + std::string(turn) + R"(","tokenUsage":{"total":{"inputTokens":)" +
                  std::to_string(total) + R"(},"last":{"inputTokens":)" + std::to_string(last) +
                  "}}");
}

std::vector<std::int64_t> input_tokens(const AgentStep& step) {
  std::vector<std::int64_t> tokens;
  for (const UsageReported& reported : of<UsageReported>(step))
    tokens.push_back(reported.usage.input_tokens.value_or(-1));
  return tokens;
}

TEST(CodexStart, AResumedThreadsOldTotalIsNotCountedWheneverItIsRepeated) {
  for (const bool is_prompted_first : {false, true}) {
    CodexAdapter adapter;
    adapter.start({.workspace = "/w", .resume_id = "th", .model = "", .auth_method = ""});
    receive(adapter, {R"({"id":1,"result":{}})", kThread});
    if (is_prompted_first) adapter.prompt("again");
    EXPECT_THAT(adapter.receive(usage_of_turn("old", 100, 30)).events, IsEmpty());
    if (!is_prompted_first) adapter.prompt("again");
    const AgentStep step = receive(adapter, {kTurn, usage_of_turn("tu", 150, 20)});
    EXPECT_THAT(input_tokens(step), ElementsAre(50)) << is_prompted_first;
  }
}

TEST_F(Codex, AnInterruptedTurnThatRepeatsTheTotalHasUsedNothing) {
  EXPECT_THAT(input_tokens(receive(adapter_,
                                   {kTurn, usage_of_turn("tu", 100, 100), completed("completed")})),
              ElementsAre(100));
  adapter_.prompt("more");
  const AgentStep step =
      receive(adapter_, {R"({"id":4,"result":{"turn":{"id":"tw"}}})", usage_of_turn("tw", 100, 100),
                         completed("interrupted")});
  EXPECT_THAT(input_tokens(step), ElementsAre(0));
}

TEST_F(Codex, OtherThreadsAreNotThisConversation) {
  EXPECT_THAT(
      adapter_
          .receive(
              R"({"method":"turn/completed","params":{"threadId":"x","turn":{"status":"completed"}}})")
          .events,
      IsEmpty());
}

TEST_F(Codex, RefusesWhatItDoesNotKnow) {
  const auto lines = sent(adapter_.receive(R"({"id":0,"method":"item/tool/call","params":{}})"));
  EXPECT_EQ(lines.at(0).at("id"), 0);
  EXPECT_EQ(lines.at(0).at("error").at("code"), -32601);
}

}  // namespace
}  // namespace oriel
