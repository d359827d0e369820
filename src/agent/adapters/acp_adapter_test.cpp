#include "agent/adapters/acp_adapter.h"

#include "agent/adapters/adapter_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string answer_to(int id, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + std::string(result) +
         "}";
}

std::string error_to(int id, int code) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"error":{"code":)" +
         std::to_string(code) + R"(,"message":"no"}})";
}

std::string update(std::string_view members) {
  return R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{)" +
         std::string(members) + "}}}";
}

std::string text(std::string_view words, std::string_view more = "") {
  return update(R"("sessionUpdate":"agent_message_chunk","content":{"type":"text","text":")" +
                std::string(words) + "\"}" + std::string(more));
}

std::string permission(int id, std::string_view tool) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":")" +
         std::string(tool) + R"(","title":"touch a","kind":"execute"},"options":[)" +
         R"({"optionId":"yes","name":"Allow","kind":"allow_once"},)" +
         R"({"optionId":"no","name":"Reject","kind":"reject_once"}]}})";
}

constexpr std::string_view kPlain = R"({"protocolVersion":1,"agentInfo":{"version":"2.0"}})";
constexpr std::string_view kResumes =
    R"({"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"resume":{}}}})";
constexpr std::string_view kLoads =
    R"({"protocolVersion":1,"agentCapabilities":{"loadSession":true}})";

// An agent whose session s1 is open; its next request of ours has the id 3.
class Acp : public testing::Test {
 protected:
  void open() {
    adapter_.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""});
    receive(adapter_, {answer_to(1, kPlain), answer_to(2, R"({"sessionId":"s1"})")});
  }

  AgentStep open_task() {
    open();
    return adapter_.prompt("hello");
  }

  AgentStep resume(std::string_view abilities) {
    adapter_.start({.workspace = "/w", .resume_id = "s0", .model = "", .auth_method = ""});
    return adapter_.receive(answer_to(1, abilities));
  }

  AcpAdapter adapter_;
};

TEST_F(Acp, OpensASessionInTheWorkspaceAndIsReady) {
  const auto hello =
      sent(adapter_.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""}));
  ASSERT_THAT(hello, SizeIs(1));
  EXPECT_EQ(hello[0].at("method"), "initialize");
  EXPECT_EQ(hello[0].at("params").at("clientCapabilities").at("fs").at("readTextFile"), false);

  const auto opening = sent(adapter_.receive(answer_to(1, kPlain)));
  ASSERT_THAT(opening, SizeIs(1));
  EXPECT_EQ(opening[0].at("method"), "session/new");
  EXPECT_EQ(opening[0].at("params").at("cwd"), "/w");

  const AgentStep ready = adapter_.receive(answer_to(2, R"({"sessionId":"s1"})"));
  EXPECT_THAT(ready.events, ElementsAre(AgentReady{"s1", "2.0"}));
}

TEST_F(Acp, LogsInFirstWhenAMethodIsConfigured) {
  adapter_.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = "key"});
  const auto login = sent(adapter_.receive(answer_to(1, kPlain)));
  EXPECT_EQ(login.at(0).at("params").at("methodId"), "key");
  EXPECT_EQ(sent(adapter_.receive(answer_to(2, "{}"))).at(0).at("method"), "session/new");
}

TEST_F(Acp, SaysHowToLogInWhenTheAgentWantsALogin) {
  adapter_.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""});
  adapter_.receive(answer_to(1, R"({"protocolVersion":1,"authMethods":[{"id":"key"}]})"));
  const auto refused = of<AgentRefused>(adapter_.receive(error_to(2, -32000)));
  ASSERT_THAT(refused, SizeIs(1));
  EXPECT_EQ(refused[0].error.kind, ErrorKind::kLoginRequired);
  EXPECT_THAT(refused[0].error.hint, HasSubstr("key"));
}

TEST_F(Acp, RefusesAnotherVersionOfTheProtocol) {
  adapter_.start({});
  EXPECT_THAT(of<AgentRefused>(adapter_.receive(answer_to(1, R"({"protocolVersion":2})"))),
              SizeIs(1));
}

TEST_F(Acp, ResumesWithoutAReplayWhereTheAgentCan) {
  EXPECT_EQ(sent(resume(kResumes)).at(0).at("method"), "session/resume");
  const AgentStep ready = adapter_.receive(answer_to(2, "{}"));
  EXPECT_THAT(ready.events, ElementsAre(AgentReady{"s0", ""}));
}

TEST_F(Acp, LoadsTheSessionWhenResumeWasOfferedButIsUnknown) {
  resume(kResumes);
  const auto load = sent(adapter_.receive(error_to(2, -32601)));
  EXPECT_EQ(load.at(0).at("method"), "session/load");
  EXPECT_EQ(load.at(0).at("params").at("sessionId"), "s0");
}

TEST_F(Acp, IsReadyOnlyAfterALoadedHistoryWheneverItArrives) {
  EXPECT_EQ(sent(resume(kLoads)).at(0).at("method"), "session/load");
  EXPECT_THAT(adapter_.receive(text("old")).events, IsEmpty());
  EXPECT_THAT(adapter_.quiet().events, IsEmpty()) << "the load has not been answered";
  const AgentStep loaded = adapter_.receive(answer_to(2, "{}"));
  EXPECT_THAT(loaded.events, IsEmpty());
  EXPECT_TRUE(loaded.wait_for_quiet);
  const AgentStep late = adapter_.receive(text("older"));
  EXPECT_THAT(late.events, IsEmpty());
  EXPECT_TRUE(late.wait_for_quiet);
  EXPECT_THAT(adapter_.quiet().events, ElementsAre(AgentReady{"s0", ""}));
  EXPECT_THAT(adapter_.quiet().events, IsEmpty());
}

TEST_F(Acp, SaysPlainlyThatItCannotResume) {
  EXPECT_EQ(of<AgentRefused>(resume(kPlain)).at(0).error.kind, ErrorKind::kCannotResume);
}

TEST_F(Acp, SaysPlainlyThatTheSessionIsUnknown) {
  resume(kLoads);
  const AgentStep refused = adapter_.receive(error_to(2, -32002));
  EXPECT_EQ(of<AgentRefused>(refused).at(0).error.kind, ErrorKind::kCannotResume);
  EXPECT_FALSE(refused.wait_for_quiet);
}

TEST_F(Acp, ChoosesTheModelByOptionOrByMethodBeforeItIsReady) {
  adapter_.start({.workspace = "/w", .resume_id = "", .model = "big", .auth_method = ""});
  adapter_.receive(answer_to(1, kPlain));
  const AgentStep option =
      adapter_.receive(answer_to(2, R"({"sessionId":"s1","configOptions":[{"id":"model"}]})"));
  EXPECT_THAT(option.events, IsEmpty());
  EXPECT_EQ(sent(option).at(0).at("method"), "session/set_config_option");
  EXPECT_EQ(sent(option).at(0).at("params").at("value"), "big");
  EXPECT_THAT(of<AgentReady>(adapter_.receive(answer_to(3, "{}"))), SizeIs(1));

  AcpAdapter other;
  other.start({.workspace = "/w", .resume_id = "", .model = "big", .auth_method = ""});
  other.receive(answer_to(1, kPlain));
  const AgentStep method = other.receive(answer_to(2, R"({"sessionId":"s1","models":{}})"));
  EXPECT_EQ(sent(method).at(0).at("method"), "session/set_model");
  EXPECT_EQ(of<AgentRefused>(other.receive(error_to(3, -32602))).at(0).error.kind,
            ErrorKind::kModelRefused);
}

TEST_F(Acp, ATaskIsThePromptAndItsAnswer) {
  const AgentStep started = open_task();
  EXPECT_THAT(started.events, ElementsAre(TaskStarted{}));
  EXPECT_EQ(sent(started).at(0).at("params").at("prompt").at(0).at("text"), "hello");
  const AgentStep step =
      receive(adapter_, {text("Hi "), text("there"), answer_to(3, R"({"stopReason":"end_turn"})")});
  EXPECT_THAT(step.events,
              ElementsAre(TextDelta{"m1", "Hi "}, TextDelta{"m1", "there"},
                          TextFinished{"m1", "Hi there"}, TaskEnded{TaskEnd::kCompleted, ""}));
}

TEST_F(Acp, SaysWhyATaskStoppedEarly) {
  open_task();
  EXPECT_THAT(adapter_.receive(answer_to(3, R"({"stopReason":"max_tokens"})")).events,
              ElementsAre(TaskEnded{TaskEnd::kCompleted, "max_tokens"}));
}

TEST_F(Acp, AMessageEndsAtAToolAndWhereItsNameChanges) {
  open_task();
  const AgentStep step = receive(
      adapter_,
      {text("a", R"(,"messageId":"x")"), text("b", R"(,"messageId":"y")"),
       update(
           R"("sessionUpdate":"tool_call","toolCallId":"t","status":"in_progress","title":"ls")"),
       update(R"("sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed")"),
       text("c", R"(,"messageId":"y")"), answer_to(3, R"({"stopReason":"end_turn"})")});
  EXPECT_THAT(of<TextFinished>(step), ElementsAre(TextFinished{"m1", "a"}, TextFinished{"m2", "b"},
                                                  TextFinished{"m3", "c"}));
}

TEST_F(Acp, ATitleDoesNotHideThatAToolIsCalledOnlyOnceWithItsInput) {
  open_task();
  const AgentStep step = receive(
      adapter_,
      {update(
           R"("sessionUpdate":"tool_call","toolCallId":"t","status":"pending","title":"bash","rawInput":{"cwd":"/w"})"),
       update(
           R"("sessionUpdate":"tool_call","toolCallId":"t","status":"pending","title":"bash","rawInput":{})"),
       update(
           R"("sessionUpdate":"tool_call_update","toolCallId":"t","title":"ls -l","rawInput":{"command":"ls -l"})"),
       update(
           R"("sessionUpdate":"tool_call_update","toolCallId":"t","status":"in_progress","rawInput":{"command":"ls -l"})"),
       update(
           R"("sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"text","text":"out"}}])"),
       update(R"("sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed")")});
  EXPECT_THAT(step.events,
              ElementsAre(ToolCalled{"t", "bash", json::parse(R"({"command":"ls -l"})")},
                          ToolFinished{"t", true, "out"}));
}

TEST_F(Acp, WhatAPermissionSaysOfAToolIsNotItsOutput) {
  open_task();
  const AgentStep step = receive(
      adapter_,
      {R"({"id":0,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"t","title":"ls","content":[{"type":"content","content":{"type":"text","text":"[in /w]"}}]},"options":[]}})",
       update(
           R"("sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[])")});
  EXPECT_THAT(of<ToolFinished>(step), ElementsAre(ToolFinished{"t", true, ""}));
}

TEST_F(Acp, AToolThatWasNeverAnnouncedIsCalledWhenItsPermissionIsAsked) {
  open_task();
  const AgentStep step = receive(adapter_, {text("I will"), permission(0, "t")});
  ASSERT_THAT(step.events, SizeIs(4));
  EXPECT_EQ(step.events[1], AgentEvent(TextFinished{"m1", "I will"}));
  EXPECT_EQ(of<ToolCalled>(step).at(0).name, "execute");
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.id, "0");
  EXPECT_EQ(asked.tool_call_id, "t");
  EXPECT_EQ(asked.title, "Run: touch a");
  EXPECT_EQ(asked.input, json::parse(R"({"command":"touch a"})"));
  EXPECT_THAT(asked.options,
              ElementsAre(PermissionOption{"yes", "Allow", OptionKind::kAllowOnce},
                          PermissionOption{"no", "Reject", OptionKind::kRejectOnce}));
}

TEST_F(Acp, APermissionKeepsWhatItAndEarlierUpdatesSayOfTheTool) {
  open_task();
  const AgentStep step = receive(
      adapter_,
      {update(
           R"("sessionUpdate":"tool_call","toolCallId":"t","status":"pending","title":"Write a","kind":"edit","rawInput":{"path":"a"},"content":[{"type":"diff","path":"a","oldText":"x","newText":"y"}])"),
       R"({"id":0,"method":"session/request_permission","params":{"sessionId":"s1","_meta":{"risk":"high"},"toolCall":{"toolCallId":"t","rawInput":{"cwd":"/w"},"locations":[{"path":"a"}]},"options":[{"optionId":"a","name":"Always","kind":"allow_always"}]}})"});
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.title, "Write a");
  EXPECT_EQ(asked.input, json::parse(R"({"path":"a"})"));
  EXPECT_EQ(asked.details, json::parse(R"({"kind":"edit","locations":[{"path":"a"}],
      "content":[{"type":"diff","path":"a","oldText":"x","newText":"y"}],
      "rawInput":{"cwd":"/w"},"request":{"_meta":{"risk":"high"}}})"));
  EXPECT_EQ(asked.options.at(0).scope,
            "later requests of kind edit, as the agent understands \"Always\"");
}

TEST_F(Acp, APermissionToRunACommandShowsTheCommandAndKeepsTheTitle) {
  open_task();
  const AgentStep step = adapter_.receive(
      R"({"id":0,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"t","title":"Tidy up","kind":"execute","rawInput":{"command":"rm -r a","description":"Tidy up"}},"options":[]}})");
  const PermissionAsked asked = of<PermissionAsked>(step).at(0);
  EXPECT_EQ(asked.title, "Run: rm -r a");
  EXPECT_EQ(asked.details, json::parse(R"({"title":"Tidy up","kind":"execute"})"));
  EXPECT_EQ(of<ToolCalled>(step).at(0).name, "execute");
}

TEST_F(Acp, TheAgentsRequestsAndOurOwnMayHaveTheSameNumbers) {
  open_task();
  adapter_.receive(permission(3, "t"));
  EXPECT_THAT(adapter_.receive(answer_to(3, R"({"stopReason":"end_turn"})")).events,
              testing::Contains(AgentEvent(TaskEnded{TaskEnd::kCompleted, ""})));
}

TEST_F(Acp, AnswersAPermissionOnceByItsOption) {
  open_task();
  adapter_.receive(permission(0, "t"));
  const auto lines = sent(adapter_.answer("0", {.option_id = "yes", .answers = {}}));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(
      lines[0],
      json::parse(
          R"({"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}})"));
  EXPECT_THAT(adapter_.answer("0", {.option_id = "no", .answers = {}}).lines, IsEmpty());
}

TEST_F(Acp, ARefusalIsTheAgentsOwnOptionForItAndSoIsAnOptionThatWasNotOffered) {
  open_task();
  for (const char* option : {"", "always"}) {
    adapter_.receive(permission(0, "t"));
    const auto lines = sent(adapter_.answer("0", {.option_id = option, .answers = {}}));
    EXPECT_EQ(lines.at(0).at("result").at("outcome").at("optionId"), "no");
  }
}

TEST_F(Acp, CancelAlsoAnswersWhatTheAgentWaitsForNowAndLater) {
  open_task();
  adapter_.receive(permission(0, "t"));
  const AgentStep step = adapter_.cancel();
  const auto lines = sent(step);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].at("method"), "session/cancel");
  EXPECT_FALSE(lines[0].as_object().contains("id"));
  EXPECT_EQ(lines[1].at("result").at("outcome").at("outcome"), "cancelled");
  EXPECT_THAT(step.events, ElementsAre(PermissionWithdrawn{"0"}));

  const AgentStep late = adapter_.receive(permission(1, "u"));
  EXPECT_EQ(sent(late).at(0).at("result").at("outcome").at("outcome"), "cancelled");
  EXPECT_THAT(of<PermissionAsked>(late), IsEmpty());
}

TEST_F(Acp, ClosesTheToolsThatACancelledTaskLeavesOpen) {
  open_task();
  receive(
      adapter_,
      {update(
          R"("sessionUpdate":"tool_call","toolCallId":"t","status":"in_progress","title":"sleep")")});
  adapter_.cancel();
  const AgentStep step = adapter_.receive(answer_to(3, R"({"stopReason":"cancelled"})"));
  ASSERT_THAT(of<ToolFinished>(step), SizeIs(1));
  EXPECT_FALSE(of<ToolFinished>(step)[0].is_ok);
  EXPECT_EQ(of<TaskEnded>(step).at(0).reason, TaskEnd::kCancelled);
}

TEST_F(Acp, AnErrorAfterACancelIsTheCancel) {
  open_task();
  adapter_.cancel();
  EXPECT_THAT(adapter_.receive(error_to(3, -32603)).events,
              ElementsAre(TaskEnded{TaskEnd::kCancelled, ""}));
}

TEST_F(Acp, CancelsNothingWhenNothingRuns) {
  open();
  EXPECT_THAT(adapter_.cancel().lines, IsEmpty());
}

TEST_F(Acp, AnyErrorCodeEndsTheTaskWithItsPlainText) {
  open_task();
  const AgentStep step = adapter_.receive(
      R"({"id":3,"error":{"code":400,"message":"Internal error","data":{"details":"{\"error\":{\"message\":\"too long\"}}"}}})");
  EXPECT_THAT(step.events, ElementsAre(ErrorReported{"Internal error: too long"},
                                       TaskEnded{TaskEnd::kError, ""}));
  EXPECT_THAT(of<TaskStarted>(adapter_.prompt("again")), SizeIs(1));
}

TEST_F(Acp, ReportsUsageUnderOneSetOfNames) {
  open_task();
  const AgentStep step = receive(
      adapter_,
      {update(
           R"("sessionUpdate":"usage_update","used":10,"size":100,"cost":{"amount":0.5,"currency":"USD"})"),
       update(
           R"("sessionUpdate":"usage_update","used":10,"size":100,"cost":{"amount":0.5,"currency":"USD"})"),
       answer_to(3,
                 R"({"stopReason":"end_turn","usage":{"inputTokens":7,"cachedReadTokens":1}})")});
  const auto reports = of<UsageReported>(step);
  ASSERT_THAT(reports, SizeIs(2));
  EXPECT_EQ(
      json::value(to_json(reports[1].usage)),
      json::parse(
          R"({"context_used":10,"context_size":100,"cost_usd":0.5,"input_tokens":7,"cache_read_tokens":1})"));

  adapter_.prompt("more");
  const auto next = of<UsageReported>(adapter_.receive(update(
      R"("sessionUpdate":"usage_update","used":20,"size":100,"cost":{"amount":0.75,"currency":"USD"})")));
  EXPECT_EQ(next.at(0).usage.cost_usd, 0.25) << "the agent counts the session, we the task";
}

// The input tokens of three tasks of an agent with this name, which reports 100, 100 and 250.
std::vector<std::int64_t> tokens_of(std::string_view agent) {
  AcpAdapter adapter;
  adapter.start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""});
  receive(adapter, {answer_to(1, R"({"protocolVersion":1,"agentInfo":{"name":")" +
                                     std::string(agent) + R"("}})"),
                    answer_to(2, R"({"sessionId":"s1"})")});
  std::vector<std::int64_t> tokens;
  for (int id = 3; const char* reported : {"100", "100", "250"}) {
    adapter.prompt("hello");
    const AgentStep step =
        adapter.receive(answer_to(id++, R"({"stopReason":"end_turn","usage":{"inputTokens":)" +
                                            std::string(reported) + R"(,"outputTokens":7}})"));
    for (const UsageReported& each : of<UsageReported>(step))
      tokens.push_back(each.usage.input_tokens.value_or(-1));
  }
  return tokens;
}

TEST(AcpUsage, CopilotReportsTheTotalOfItsProcessAndOthersEachPrompt) {
  EXPECT_THAT(tokens_of("Copilot"), ElementsAre(100, 0, 150));
  EXPECT_THAT(tokens_of("OpenCode"), ElementsAre(100, 100, 250));
}

TEST_F(Acp, RefusesWhatItDoesNotOffer) {
  open_task();
  for (const char* method : {"fs/read_text_file", "terminal/create", "elicitation/create"}) {
    const auto lines = sent(adapter_.receive(R"({"jsonrpc":"2.0","id":0,"method":")" +
                                             std::string(method) + R"(","params":{}})"));
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].at("id"), 0);
    EXPECT_EQ(lines[0].at("error").at("code"), -32601);
  }
}

TEST_F(Acp, WhatComesOutsideATaskIsNotPartOfOne) {
  open_task();
  receive(adapter_, {answer_to(3, R"({"stopReason":"end_turn"})")});
  EXPECT_THAT(receive(adapter_, {text("late"), update(R"("sessionUpdate":"usage_update","used":1)"),
                                 answer_to(3, R"({"stopReason":"end_turn"})")})
                  .events,
              IsEmpty());
}

TEST_F(Acp, WhatIsNotJsonIsNoiseAndWhatIsUnknownIsIgnored) {
  open_task();
  for (const char* line : {"", "warning: slow", "[1,2]", "\"text\"", "{\"a\":", "{} {}"})
    EXPECT_TRUE(adapter_.receive(line).is_noise) << line;
  for (
      const char* line :
      {"{}", R"({"id":99,"result":{}})", R"({"method":"session/update"})",
       R"({"method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":3}}})"}) {
    const AgentStep step = adapter_.receive(line);
    EXPECT_FALSE(step.is_noise) << line;
    EXPECT_THAT(step.events, IsEmpty()) << line;
    EXPECT_THAT(step.lines, IsEmpty()) << line;
  }
}

}  // namespace
}  // namespace oriel
