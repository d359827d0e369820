// What the server makes of agents that misbehave: the demo agent does so on request.

#include "processes.h"
#include "programs.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <csignal>
#include <map>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::SizeIs;

// A hundred thousand events, each stored for good, under a sanitizer.
constexpr Milliseconds kFloodPatience{100'000};

// The consolidated text of each of the assistant's messages, in their order.
std::string whole_text(const Events& events) {
  std::map<std::int64_t, std::string> messages;
  for (const Event& event : of_type(events, "message")) {
    if (string_of(event, "role") != "assistant") continue;
    messages[event.at("data").at("message").to_number<std::int64_t>()] = string_of(event, "text");
  }
  std::string text;
  for (const auto& [number, message] : messages)
    text += message;
  return text;
}

class R_AGENT_4 : public testing::Test {
 protected:
  R_AGENT_4() {
    fs::create_directory(home_);
    fs::create_directory(workspace_);
    configure("[\"" + demo_agent_program() + "\", \"--pace\", \"0\"]");
  }

  // Whatever a test did: when the server has gone, nothing of its agents is left.
  ~R_AGENT_4() override {
    server_.reset();
    EXPECT_EQ(describe_processes(processes()), "");
  }

  void configure(const std::string& command) const {
    write_file(dir_.path() / "oriel.toml", "[agents.test]\nadapter = \"acp\"\ncommand = " +
                                               command + "\nhome = \"" + home_.string() + "\"\n");
  }

  void start(std::vector<std::string> flags = {}) {
    flags.insert(flags.end(), {"--config", dir_.path() / "oriel.toml"});
    server_ = std::make_unique<ServerProcess>(flags, dir_.path() / "data");
  }

  SessionClient session() const {
    return {*server_, json::object{{"agent", "test"}, {"workspace", workspace_.string()}}};
  }

  std::vector<pid_t> processes() const { return processes_with("HOME=" + home_.string()); }

  // The task ends the agent: the session says why, and nothing is left.
  void expect_failure(std::string_view prompt, std::string_view reason) {
    SessionClient client = session();
    const Events events = client.task(prompt);
    EXPECT_EQ(string_of(events.back(), "text"), "failed") << to_text(events);
    EXPECT_THAT(of_type(events, "completion"), SizeIs(1)) << to_text(events);
    EXPECT_EQ(client.status(), "failed");
    EXPECT_THAT(string_of(client.state(), "reason"), HasSubstr(std::string(reason)));
    EXPECT_TRUE(eventually([this] { return processes().empty(); }))
        << describe_processes(processes());
  }

  TempDir dir_;
  fs::path home_ = dir_.path() / "home";
  fs::path workspace_ = dir_.path() / "workspace";
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(R_AGENT_4, AnAgentThatCrashesFailsWithItsSignal) {
  start();
  expect_failure("crash", "SIGABRT");
}

TEST_F(R_AGENT_4, AnAgentThatExitsFailsWithItsCodeAndItsLastWords) {
  start();
  expect_failure("exit 7", "code 7");
  expect_failure("exit 7", "exiting with code 7 on request");
}

TEST_F(R_AGENT_4, HalfALineAtTheEndIsNoEvent) {
  start();
  expect_failure("half-line", "code 0");
}

TEST_F(R_AGENT_4, AnAgentThatExitsAtOnceFails) {
  configure("[\"/bin/false\"]");
  start();
  expect_failure("hello", "code 1");
}

TEST_F(R_AGENT_4, AProgramThatIsNotThereIsNamed) {
  configure("[\"/no/such/program\"]");
  start();
  expect_failure("hello", "/no/such/program");
}

TEST_F(R_AGENT_4, ALineOf200MegabytesFailsItsTaskWithTheReasonAndTheNextTaskWorks) {
  start();
  SessionClient client = session();
  const Events events = client.task("longline 200000000");
  EXPECT_EQ(end_of_task(events), "error");
  ASSERT_THAT(of_type(events, "error"), SizeIs(1));
  EXPECT_THAT(string_of(of_type(events, "error").front(), "text"),
              HasSubstr("at most 67108864 are read"));
  EXPECT_EQ(end_of_task(client.task("help")), "completed");
}

TEST_F(R_AGENT_4, GarbageAndInvalidUtf8AreNoEventsAndTheTaskGoesOn) {
  start();
  SessionClient client = session();
  for (const char* prompt : {"garbage", "invalid-utf8"}) {
    const Events events = client.task(prompt);
    EXPECT_EQ(end_of_task(events), "completed");
    EXPECT_THAT(final_answer(events), HasSubstr("I go on")) << to_text(events);
  }
  EXPECT_EQ(client.status(), "idle");
}

TEST_F(R_AGENT_4, AFailedTaskIsAnErrorAndNotTheEndOfTheSession) {
  start();
  SessionClient client = session();
  const Events events = client.task("fail");
  EXPECT_THAT(of_type(events, "error"), SizeIs(1)) << to_text(events);
  EXPECT_EQ(end_of_task(events), "error");
  EXPECT_THAT(final_answer(client.task("help")), HasSubstr("demo agent"));
}

TEST_F(R_AGENT_4, AFloodIsKeptWholeAndInOrderAndDisturbsNobody) {
  start({"--max-event-rate", "10000"});
  SessionClient flooded = session();
  SessionClient other = session();
  flooded.send("flood 100000");
  EXPECT_THAT(final_answer(other.task("help")), HasSubstr("demo agent"));
  std::string expected;
  for (int i = 1; i <= 100'000; ++i)
    expected += "line " + std::to_string(i) + " of 100000\n";
  const Events events = flooded.until_rest(kFloodPatience);
  EXPECT_TRUE(whole_text(events) == expected) << "the text is not what was said";
  std::string pieces;
  for (const Event& event : of_type(events, "delta"))
    pieces += string_of(event, "text");
  EXPECT_TRUE(pieces == expected) << "the pieces are not what was said";
}

TEST_F(R_AGENT_4, AFloodThatIsReadMoreSlowlyThanItIsWrittenLosesNothing) {
  start({"--max-event-rate", "1000"});
  SessionClient client = session();
  std::string expected;
  for (int i = 1; i <= 3000; ++i)
    expected += "line " + std::to_string(i) + " of 3000\n";
  EXPECT_TRUE(whole_text(client.task("flood 3000")) == expected);
}

TEST_F(R_AGENT_4, AnAgentThatIsHeldBackEndsWithItsSession) {
  start({"--max-event-rate", "100"});
  SessionClient client = session();
  client.send("flood 100000");
  client.until([](const Event& event) { return string_of(event, "type") == "delta"; });
  EXPECT_EQ(client.end().status, 200);
  EXPECT_TRUE(eventually([this] { return processes().empty(); }));
}

TEST_F(R_AGENT_4, ALineOfManyMegabytesIsOneMessage) {
  start();
  SessionClient client = session();
  EXPECT_EQ(whole_text(client.task("longline 3000000")).size(), 3'000'000u);
}

TEST_F(R_AGENT_4, AnAgentThatHangsIsEndedWhenItsTaskIsCancelled) {
  start();
  SessionClient client = session();
  client.send("hang");
  client.until([](const Event& event) { return string_of(event, "type") == "delta"; });
  EXPECT_EQ(client.cancel().status, 202);
  const Events events = client.until_rest();
  EXPECT_EQ(end_of_task(events), "cancelled") << to_text(events);
  EXPECT_TRUE(eventually([this] { return processes().empty(); }));
}

TEST_F(R_AGENT_4, AnAgentThatIgnoresSigtermDoesNotOutliveTheServer) {
  start();
  SessionClient client = session();
  client.send("hang");
  client.until([](const Event& event) { return string_of(event, "type") == "delta"; });
  server_->signal(SIGTERM);
  EXPECT_EQ(server_->wait_exit(kAgentPatience), 0) << server_->log();
  EXPECT_EQ(describe_processes(processes()), "");
}

TEST_F(R_AGENT_4, AStrayGrandchildEndsWithItsAgent) {
  start();
  SessionClient client = session();
  client.task("stray");
  EXPECT_THAT(processes(), SizeIs(2)) << describe_processes(processes());
  EXPECT_EQ(client.end().status, 200);
  EXPECT_TRUE(eventually([this] { return processes().empty(); }))
      << describe_processes(processes());
}

TEST_F(R_AGENT_4, APermissionThatNobodyAnswersIsRefused) {
  start({"--permission-timeout", "1s"});
  SessionClient client = session();
  const Events events = client.task("write notes.txt: hello");
  const Events permissions = of_type(events, "permission");
  ASSERT_THAT(permissions, SizeIs(2)) << to_text(events);
  EXPECT_EQ(string_of(permissions.front(), "status"), "pending");
  EXPECT_EQ(string_of(permissions.back(), "status"), "expired");
  EXPECT_THAT(final_answer(events), HasSubstr("You said no"));
  EXPECT_FALSE(fs::exists(workspace_ / "notes.txt"));
}

}  // namespace
}  // namespace oriel
