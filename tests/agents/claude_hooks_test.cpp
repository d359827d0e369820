// Claude Code as a person starts it, with `oriel hooks install` in its settings.

#include "agent_house.h"
#include "child_process.h"
#include "listener.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <cstdlib>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr const char* kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

std::string value_of(const std::string& request, const std::string& header) {
  const std::size_t begin = request.find("\r\n" + header + ": ");
  if (begin == request.npos) return {};
  const std::size_t value = begin + header.size() + 4;
  return request.substr(value, request.find("\r\n", value) - value);
}

boost::json::object payload_of(const std::string& request) {
  return boost::json::parse(request.substr(request.find("\r\n\r\n") + 4)).as_object();
}

class R_TURN_6 : public testing::Test {
 protected:
  void SetUp() override {
    const std::string problem = why_not_installed(claude());
    const bool is_needed = std::getenv("ORIEL_AGENTS_NEEDED") != nullptr;
    if (!problem.empty() && is_needed) FAIL() << problem;
    if (!problem.empty()) GTEST_SKIP() << problem;
    fs::create_directories(home_.path() / "project");
    write_file(home_.path() / "project/notes.txt", "alpha\n");
    write_file(settings(), R"-({"permissions": {"allow": ["Bash(cat:*)"]}})-");
    const Finished installed =
        run_oriel({"hooks", "install", "--settings", settings(), "--url", server_.url()});
    ASSERT_EQ(installed.exit_code, 0) << installed.err;
  }

  std::string settings() const {
    fs::create_directories(home_.path() / ".claude");
    return home_.path() / ".claude/settings.json";
  }

  // `claude -p PROMPT`, with nothing of this test's environment.
  Command print_mode(const std::string& prompt) const {
    std::vector<std::string> words = {"/usr/bin/env",
                                      "-i",
                                      "-C",
                                      home_.path() / "project",
                                      "PATH=/usr/bin:/bin",
                                      "HOME=" + home_.path().string()};
    for (const auto& [name, value] : claude().settle(home_.path(), model_.url()))
      words.push_back(name + "=" + value);
    words.insert(words.end(), {claude().program, "-p", prompt});
    return {.words = std::move(words), .environment = {}, .input = {}};
  }

  TempDir home_;
  ModelServer model_;
  Listener server_;
};

TEST_F(R_TURN_6, AllHooksOfClaudeCodeArriveAlsoThoseOfItsEnd) {
  ChildProcess claude(print_mode("[[run:cat notes.txt]] Look at the notes"));
  std::vector<std::string> events;
  while (events.size() < 6) {  // they may overtake each other
    const std::string request = server_.serve(kAccepted, 3 * kPatience);
    const boost::json::object payload = payload_of(request);
    events.emplace_back(payload.at("hook_event_name").as_string());
    EXPECT_EQ(value_of(request, "Oriel-Agent-Pid"), std::to_string(claude.pid())) << request;
    EXPECT_EQ(payload.at("cwd").as_string(), (home_.path() / "project").string());
  }
  EXPECT_THAT(events, UnorderedElementsAre("SessionStart", "UserPromptSubmit", "PreToolUse",
                                           "PostToolUse", "Stop", "SessionEnd"));
  EXPECT_EQ(claude.wait_exit(), 0) << claude.err();
  EXPECT_THAT(claude.out(), HasSubstr("The tool said: alpha"));
}

TEST_F(R_TURN_6, AServerThatHangsChangesNothingForClaudeCode) {
  ChildProcess claude(print_mode("Hello there"));
  EXPECT_EQ(claude.wait_exit(3 * kPatience), 0) << claude.err();
  EXPECT_THAT(claude.out(), HasSubstr("This is the scripted answer."));
  EXPECT_EQ(claude.err(), "");
  EXPECT_TRUE(server_.has_caller());
}

}  // namespace
}  // namespace oriel
