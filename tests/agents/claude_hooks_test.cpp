// Claude Code as a person starts it, with `oriel hooks install` in its settings.

#include "claude_at_home.h"
#include "listener.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

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

class R_TURN_6 : public ClaudeCodeTest {};

TEST_F(R_TURN_6, AllHooksOfClaudeCodeArriveAlsoThoseOfItsEnd) {
  const TempDir home;
  const ClaudeAtHome at_home(home.path());
  Listener server;
  at_home.install_hooks(server.url());
  TestProcess claude(at_home.print_mode("[[run:cat notes.txt]] Look at the notes"));
  std::vector<std::string> events;
  while (events.size() < 6) {  // they may overtake each other
    const std::string request = server.serve(kAccepted, 3 * kPatience);
    const boost::json::object payload = payload_of(request);
    events.emplace_back(payload.at("hook_event_name").as_string());
    EXPECT_EQ(value_of(request, "Oriel-Agent-Pid"), std::to_string(claude.pid())) << request;
    EXPECT_EQ(payload.at("cwd").as_string(), at_home.project().string());
  }
  EXPECT_THAT(events, UnorderedElementsAre("SessionStart", "UserPromptSubmit", "PreToolUse",
                                           "PostToolUse", "Stop", "SessionEnd"));
  EXPECT_EQ(claude.wait_exit(), 0) << claude.err();
  EXPECT_THAT(claude.out(), HasSubstr("The tool said: alpha"));
}

TEST_F(R_TURN_6, AServerThatHangsChangesNothingForClaudeCode) {
  const TempDir home;
  const ClaudeAtHome at_home(home.path());
  Listener server;
  at_home.install_hooks(server.url());
  TestProcess claude(at_home.print_mode("Hello there"));
  EXPECT_EQ(claude.wait_exit(3 * kPatience), 0) << claude.err();
  EXPECT_THAT(claude.out(), HasSubstr("This is the scripted answer."));
  EXPECT_EQ(claude.err(), "");
  EXPECT_TRUE(server.has_caller());
}

}  // namespace
}  // namespace oriel
