// The real program, over its standard input and output.

#include "base/temp_directory_testing.h"
#include "demo/agent_client_testing.h"
#include "demo/workspace_files.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

namespace oriel {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSaid = "agent_message_chunk";

// NOLINTNEXTLINE(readability-identifier-naming): a requirement's name
class R_AGENT_3 : public testing::Test {
 protected:
  R_AGENT_3() {
    workspace_.add("README.md", "# A title\n\nSome words.\n");
    workspace_.add("src/main.cpp", "int main() {}\n");
  }

  // A whole task of a fresh conversation.
  std::vector<json::object> task(std::string_view text) {
    AgentClient agent(home_.path());
    const std::string session = agent.start(workspace_.path());
    return agent.until_response(agent.prompt(session, text));
  }

  // Everything up to its request for a permission, which comes last.
  static std::vector<json::object> until_asked(AgentClient& agent) {
    std::vector<json::object> messages;
    do {
      messages.push_back(agent.next());
    } while (!messages.back().contains("method") ||
             messages.back().at("method") != "session/request_permission");
    return messages;
  }

  static void answer(const AgentClient& agent, const json::object& asked, std::string_view option) {
    agent.send({{"jsonrpc", "2.0"},
                {"id", asked.at("id")},
                {"result", {{"outcome", {{"outcome", "selected"}, {"optionId", option}}}}}});
  }

  TempDirectory home_;
  TempDirectory workspace_;
};

TEST_F(R_AGENT_3, IntroducesItselfAndRefusesADirectoryThatIsNone) {
  AgentClient agent(home_.path());
  const json::object hello =
      agent.until_response(agent.request("initialize", {{"protocolVersion", 1}})).back();
  EXPECT_EQ(hello.at("result").at("protocolVersion"), 1);
  EXPECT_EQ(hello.at("result").at("agentCapabilities").at("loadSession"), true);
  for (const char* cwd : {"", "relative", "/no/such/directory"}) {
    const int id = agent.request("session/new", {{"cwd", cwd}});
    EXPECT_EQ(agent.until_response(id).back().at("error").at("code"), -32602) << cwd;
  }
  EXPECT_EQ(agent.until_response(agent.request("no/such", {})).back().at("error").at("code"),
            -32601);
  EXPECT_EQ(agent.until_response(agent.prompt("unknown", "hi")).back().at("error").at("code"),
            -32602);
}

TEST_F(R_AGENT_3, AnythingGetsAnOverviewOfTheRealWorkspace) {
  const auto messages = task("fix the failing test");
  const std::string text = text_of(messages, kSaid);
  EXPECT_THAT(text, HasSubstr("no model"));
  EXPECT_THAT(text, HasSubstr("2 files: 1 C++, 1 Markdown."));
  EXPECT_THAT(text, HasSubstr("README.md begins: \"A title\""));
  EXPECT_EQ(task_end(messages), "end_turn");
}

TEST_F(R_AGENT_3, ToolsDoRealWork) {
  EXPECT_EQ(tool_end(task("list src")), "completed: src/main.cpp (14 bytes)\n");
  EXPECT_EQ(tool_end(task("read README.md")), "completed: # A title\n\nSome words.\n");
  EXPECT_EQ(tool_end(task("search words")), "completed: README.md:3: Some words.\n");
  EXPECT_EQ(tool_end(task("count README.md")), "completed: 3 lines, 5 words, 23 bytes");
  EXPECT_EQ(tool_end(task("count")), "completed: 4 lines, 8 words, 37 bytes");
  EXPECT_THAT(tool_end(task("read ../x")), StartsWith("failed: "));
  EXPECT_THAT(tool_end(task("count nothing.txt")), StartsWith("failed: "));
}

TEST_F(R_AGENT_3, WritesOnlyWhatItMay) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  int id = agent.prompt(session, "write notes.txt: hello");
  const json::object asked = until_asked(agent).back();
  EXPECT_EQ(asked.at("params").at("toolCall").at("title"), "Write notes.txt");
  EXPECT_FALSE(read_file(workspace_.path(), "notes.txt"));
  answer(agent, asked, "allow");
  EXPECT_EQ(tool_end(agent.until_response(id)), "completed: wrote 6 bytes");
  EXPECT_EQ(read_file(workspace_.path(), "notes.txt")->bytes, "hello\n");

  id = agent.prompt(session, "write notes.txt: changed");
  answer(agent, until_asked(agent).back(), "reject");
  const auto messages = agent.until_response(id);
  EXPECT_THAT(tool_end(messages), StartsWith("failed: "));
  EXPECT_THAT(text_of(messages, kSaid), HasSubstr("You said no"));
  EXPECT_EQ(read_file(workspace_.path(), "notes.txt")->bytes, "hello\n");
}

TEST_F(R_AGENT_3, AsksAndTakesTheAnswer) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  const int id = agent.prompt(session, "ask");
  answer(agent, until_asked(agent).back(), "coffee");
  const auto messages = agent.until_response(id);
  EXPECT_THAT(text_of(messages, kSaid), HasSubstr("You chose coffee"));
  EXPECT_EQ(tool_end(messages), "completed: coffee");
}

TEST_F(R_AGENT_3, ACancelEndsTheTaskAtOnceWhateverItDoes) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  int id = agent.prompt(session, "slow 600s list");
  agent.next();
  agent.cancel("another session");
  agent.cancel(session);
  EXPECT_EQ(task_end(agent.until_response(id)), "cancelled");

  id = agent.prompt(session, "write notes.txt: x");
  until_asked(agent);
  agent.cancel(session);
  const auto messages = agent.until_response(id);
  EXPECT_THAT(tool_end(messages), StartsWith("failed: "));
  EXPECT_EQ(task_end(messages), "cancelled");

  id = agent.prompt(session, "flood 10000000");
  agent.next();
  agent.cancel(session);
  EXPECT_EQ(task_end(agent.until_response(id)), "cancelled");
  EXPECT_EQ(task_end(agent.until_response(agent.prompt(session, "help"))), "end_turn");
}

TEST_F(R_AGENT_3, AnotherProcessResumesTheConversationAndShowsItsHistory) {
  std::string session;
  {
    AgentClient agent(home_.path());
    session = agent.start(workspace_.path());
    agent.until_response(agent.prompt(session, "help"));
  }
  AgentClient agent(home_.path());
  agent.until_response(agent.request("initialize", {{"protocolVersion", 1}}));
  const json::object where{{"cwd", workspace_.path().string()}, {"mcpServers", json::array()}};
  json::object known = where;
  known["sessionId"] = session;
  const auto history = agent.until_response(agent.request("session/load", known));
  EXPECT_EQ(text_of(history, "user_message_chunk"), "help");
  EXPECT_THAT(text_of(history, kSaid), HasSubstr("demo agent"));
  EXPECT_TRUE(history.back().contains("result"));
  EXPECT_THAT(text_of(agent.until_response(agent.prompt(session, "list")), kSaid),
              StartsWith("We go on after \"help\"."));

  json::object unknown = where;
  unknown["sessionId"] = "0000000000000000";
  EXPECT_TRUE(
      agent.until_response(agent.request("session/load", unknown)).back().contains("error"));
}

TEST_F(R_AGENT_3, AFailedTaskIsNotTheEnd) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  EXPECT_EQ(task_end(agent.until_response(agent.prompt(session, "fail"))), "error -32603");
  EXPECT_EQ(task_end(agent.until_response(agent.prompt(session, "help"))), "end_turn");
}

TEST_F(R_AGENT_3, AFloodIsWholeAndInOrder) {
  std::string expected;
  for (int i = 1; i <= 3000; ++i)
    expected += "line " + std::to_string(i) + " of 3000\n";
  EXPECT_EQ(text_of(task("flood 3000"), kSaid), expected);
  EXPECT_EQ(text_of(task("longline 2000000"), kSaid).size(), 2'000'000u);
}

TEST_F(R_AGENT_3, BabbleAlternatesThoughtsAndLines) {
  std::string expected;
  for (int i = 1; i <= 100; ++i)
    expected += "line " + std::to_string(i) + " of 100\n";
  const std::vector<json::object> messages = task("babble 100");
  EXPECT_EQ(text_of(messages, kSaid), expected);
  EXPECT_THAT(text_of(messages, "agent_thought_chunk"), testing::EndsWith("thought 100 of 100\n"));
}

TEST_F(R_AGENT_3, GarbageIsPrintedAndTheTaskGoesOn) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  const auto send_and_end = [&](std::string_view text) {
    const int id = agent.prompt(session, text);
    while (true) {
      const json::object message = agent.next();
      if (message.contains("id") && message.at("id") == id) return message.contains("result");
    }
  };
  EXPECT_TRUE(send_and_end("garbage"));
  EXPECT_GE(agent.noise(), 5);
  const int before = agent.noise();
  EXPECT_TRUE(send_and_end("invalid-utf8"));
  EXPECT_EQ(agent.noise(), before + 1);
}

TEST_F(R_AGENT_3, ExitsAsItsPromptAsks) {
  const auto end_of = [&](std::string_view text) {
    AgentClient agent(home_.path());
    agent.prompt(agent.start(workspace_.path()), text);
    return agent.exit_code(20s);
  };
  EXPECT_EQ(end_of("crash"), 128 + SIGABRT);
  EXPECT_EQ(end_of("exit"), 1);
  EXPECT_EQ(end_of("exit 7"), 7);
  EXPECT_EQ(end_of("half-line"), 0);
}

TEST_F(R_AGENT_3, EndsWithItsInputAlsoInMidTask) {
  AgentClient agent(home_.path());
  agent.prompt(agent.start(workspace_.path()), "slow 600s");
  agent.next();
  agent.close_input();
  EXPECT_EQ(agent.exit_code(20s), 0);
}

TEST_F(R_AGENT_3, AHangIgnoresWhatCanBeIgnored) {
  AgentClient agent(home_.path());
  const std::string session = agent.start(workspace_.path());
  agent.prompt(session, "hang");
  agent.next();
  agent.signal(SIGTERM);
  agent.cancel(session);
  agent.close_input();
  EXPECT_EQ(agent.exit_code(200ms), std::nullopt);
  agent.signal(SIGKILL);
  EXPECT_EQ(agent.exit_code(20s), 128 + SIGKILL);
}

TEST_F(R_AGENT_3, LinesThatAreNoMessagesAreAnsweredWithAnError) {
  AgentClient agent(home_.path());
  for (const char* line : {"not JSON", "[]", "\xff", "{"}) {
    agent.send_line(line);
    EXPECT_TRUE(agent.next().contains("error")) << line;
  }
  agent.send_line("{}");
  agent.send_line("");
  EXPECT_FALSE(agent.start(workspace_.path()).empty());
}

TEST_F(R_AGENT_3, AStrayChildOutlivesIt) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  EXPECT_EQ(task_end(task("stray")), "end_turn");
  pid_t stray = 0;
  std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children") >> stray;
  ASSERT_GT(stray, 0);
  EXPECT_EQ(kill(stray, SIGKILL), 0);
  EXPECT_EQ(waitpid(stray, nullptr, 0), stray);
}

}  // namespace
}  // namespace oriel
