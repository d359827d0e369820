// `oriel send` and its like against the whole server and the demo agent: piped, and at a terminal.

#include "programs.h"
#include "session_client.h"
#include "terminal_process.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Events printed_events(const std::string& text) {
  Events lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(json::parse(line).as_object());
  return lines;
}

class Send : public testing::Test {
 protected:
  Send() {
    fs::create_directory(workspace_);
    write_file(workspace_ / "notes.txt", "one\ntwo\n");
    write_file(dir_.path() / "oriel.toml", "[agents.test]\nadapter = \"acp\"\ncommand = [\"" +
                                               demo_agent_program() + "\", \"--pace\", \"0\"]\n");
    start();
  }

  void start() {
    std::vector<std::string> flags = {"--config", dir_.path() / "oriel.toml"};
    if (!listen_.empty()) flags.insert(flags.end(), {"--listen", listen_});
    server_ = std::make_unique<ServerProcess>(flags, dir_.path() / "data");
    listen_ = server_->authority();
  }

  std::vector<std::string> words(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--url", server_->url()});
    return arguments;
  }

  Finished oriel(std::vector<std::string> arguments) const {
    return run_oriel(words(std::move(arguments)));
  }

  // A new session of the test's agent in the workspace.
  Finished send(const std::string& message) const {
    return oriel({"send", "--agent", "test", "--dir", workspace_, message});
  }

  std::unique_ptr<TerminalProcess> at_terminal(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), oriel_program());
    return std::make_unique<TerminalProcess>(words(std::move(arguments)), workspace_);
  }

  std::unique_ptr<TerminalProcess> send_at_terminal(const std::string& message) const {
    return at_terminal({"send", "--agent", "test", message});
  }

  TempDir dir_;
  fs::path workspace_ = dir_.path() / "workspace";
  std::string listen_;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(Send, PipedItPrintsTheTasksEventsFromTheFirstToTheLast) {
  const Finished sent = send("read notes.txt");
  EXPECT_EQ(sent.exit_code, 0) << sent.err;
  const Events events = printed_events(sent.out);
  ASSERT_FALSE(events.empty());
  std::int64_t index = -1;
  for (const Event& event : events)
    EXPECT_GT(event.at("index").to_number<std::int64_t>(), std::exchange(index, index + 1));
  EXPECT_EQ(of_type(events, "tool_call").size(), of_type(events, "tool_result").size());
  EXPECT_EQ(string_of(of_type(events, "message").front(), "role"), "user");
  EXPECT_EQ(string_of(events.back(), "type"), "completion");
  EXPECT_EQ(string_of(events.back(), "status"), "completed");
}

TEST_F(Send, ContinueGoesOnInTheDirectorysNewestSession) {
  const Events first = printed_events(send("hello").out);
  const Finished sent = oriel({"send", "--continue", "--dir", workspace_, "count", "files"});
  EXPECT_EQ(sent.exit_code, 0) << sent.err;
  const Events second = printed_events(sent.out);
  EXPECT_EQ(string_of(first.back(), "session_id"), string_of(second.back(), "session_id"));
  EXPECT_EQ(string_of(of_type(second, "message").front(), "text"), "count files");
  EXPECT_GT(second.front().at("index").to_number<std::int64_t>(),
            first.back().at("index").to_number<std::int64_t>());
}

TEST_F(Send, AFailedTaskIsItsExitCode) {
  EXPECT_EQ(send("crash").exit_code, 1);
  EXPECT_EQ(send("fail").exit_code, 1);
  EXPECT_EQ(oriel({"send", "--agent", "nobody", "--dir", workspace_, "hi"}).exit_code, 1);
}

TEST_F(Send, AtATerminalTextFlowsAndToolsAreLines) {
  const auto terminal = send_at_terminal("read notes.txt");
  EXPECT_EQ(terminal->wait_exit(), 0);
  EXPECT_THAT(terminal->screen(), HasSubstr("✓"));
  EXPECT_THAT(terminal->screen(), HasSubstr("notes.txt"));
  EXPECT_THAT(terminal->screen(), HasSubstr("continue with: oriel send --session ses_"));
}

TEST_F(Send, AtATerminalAPermissionIsAnsweredAtTheKeyboard) {
  const auto terminal = send_at_terminal("write new.txt: hello");
  ASSERT_TRUE(terminal->shows("Allow? [y, n, 1-")) << terminal->screen();
  EXPECT_FALSE(fs::exists(workspace_ / "new.txt"));
  terminal->type("y\n");
  EXPECT_EQ(terminal->wait_exit(), 0) << terminal->screen();
  EXPECT_THAT(read_file(workspace_ / "new.txt"), StartsWith("hello"));
}

TEST_F(Send, AtATerminalAPermissionAnsweredElsewhereGoesAway) {
  const auto terminal = send_at_terminal("write new.txt: hello");
  ASSERT_TRUE(terminal->shows("Allow? [y, n, 1-")) << terminal->screen();
  const Events sessions = printed_events(oriel({"sessions", "--json"}).out);
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(string_of(sessions[0], "state"), "awaiting_input");
  const std::string id = string_of(sessions[0], "session_id");
  const Finished answered = oriel({"answer", id.substr(0, 12), "deny"});
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
  EXPECT_TRUE(terminal->shows("denied elsewhere")) << terminal->screen();
  EXPECT_EQ(terminal->wait_exit(), 0) << terminal->screen();
  EXPECT_FALSE(fs::exists(workspace_ / "new.txt"));
}

TEST_F(Send, AtATerminalControlCCancelsTheTask) {
  const auto terminal = send_at_terminal("slow 60s");
  ASSERT_TRUE(terminal->shows("working")) << terminal->screen();
  terminal->type("\x03");
  EXPECT_EQ(terminal->wait_exit(), 130) << terminal->screen();
  EXPECT_THAT(terminal->screen(), HasSubstr("· cancelled"));
}

TEST_F(Send, AtATerminalControlCTwiceLeavesTheAgentToItself) {
  const auto terminal = send_at_terminal("hang");
  ASSERT_TRUE(terminal->shows("working")) << terminal->screen();
  terminal->type("\x03");
  ASSERT_TRUE(terminal->shows("Ctrl-C again exits")) << terminal->screen();
  terminal->type("\x03");
  EXPECT_EQ(terminal->wait_exit(), 130) << terminal->screen();
}

TEST_F(Send, SessionsAreShownCancelledAndEnded) {
  const Finished detached =
      oriel({"send", "--agent", "test", "--dir", workspace_, "--detach", "slow 60s"});
  ASSERT_EQ(detached.exit_code, 0) << detached.err;
  const std::string id = detached.out.substr(0, detached.out.find('\n'));
  SessionClient session(*server_, id);
  EXPECT_TRUE(eventually([&] { return session.status() == "running"; }));
  const auto shown = at_terminal({"sessions", id});
  EXPECT_EQ(shown->wait_exit(), 0);
  EXPECT_THAT(shown->screen(), HasSubstr("state"));
  EXPECT_THAT(shown->screen(), HasSubstr("running"));
  EXPECT_EQ(oriel({"cancel", id}).exit_code, 0);
  EXPECT_TRUE(eventually([&] { return session.status() == "idle"; }));
  EXPECT_EQ(oriel({"cancel", id}).exit_code, 1);
  EXPECT_EQ(oriel({"end", id}).out, "ended " + id + "\n");
  EXPECT_EQ(session.status(), "completed");
  EXPECT_EQ(oriel({"send", "--session", id, "more"}).exit_code, 1);
}

TEST_F(Send, ARestartOfTheServerEndsTheTaskWithAWord) {
  const auto terminal = send_at_terminal("slow 60s");
  ASSERT_TRUE(terminal->shows("working")) << terminal->screen();
  server_->kill();
  ASSERT_TRUE(terminal->shows("reconnecting")) << terminal->screen();
  start();
  EXPECT_EQ(terminal->wait_exit(Milliseconds{60'000}), 1) << terminal->screen();
  EXPECT_THAT(terminal->screen(), HasSubstr("✗"));
}

}  // namespace
}  // namespace oriel
