// `oriel hook` as an agent runs it, and `oriel hooks`, against a server that does as the test
// wants.

#include "child_process.h"
#include "listener.h"
#include "programs.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <unistd.h>

namespace oriel {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kAccepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
constexpr const char* kStop = R"({"session_id": "s", "hook_event_name": "Stop"})";
constexpr const char* kNoServer = "http://127.0.0.1:1";
constexpr Milliseconds kQuick{800};  // on a busy machine; alone it is a few milliseconds

struct Timed {
  Finished finished;
  Milliseconds time{0};
};

Timed run_timed(Command command) {
  const auto begin = std::chrono::steady_clock::now();
  Finished finished = run(command);
  const auto time = std::chrono::steady_clock::now() - begin;
  return {std::move(finished), std::chrono::duration_cast<Milliseconds>(time)};
}

// As agents do it: by a shell that stays.
Command by_shell(const std::string& line, const std::string& url, std::string input) {
  return {.words = {"/bin/sh", "-c", line + "; exit $?"},
          .environment = {{"ORIEL_URL", url}},
          .input = std::move(input)};
}

std::string oriel_hook(const std::string& rest = "") {
  return oriel_program() + " hook" + rest;
}

void expect_silent(const Finished& finished) {
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err, "");
}

TEST(R_TURN_6, AHookReachesTheServerAsItCame) {
  Listener server;
  expect_silent(run(by_shell(oriel_hook(), server.url(), kStop)));
  const std::string request = server.serve(kAccepted);
  EXPECT_THAT(request, AllOf(StartsWith("POST /api/hooks/stop HTTP/1.1\r\n"),
                             HasSubstr("\r\nContent-Type: application/json\r\n"),
                             EndsWith(std::string("\r\n\r\n") + kStop)));
}

TEST(R_TURN_6, AHookNamesTheAgentAndNotItsShell) {
  Listener server;
  run(by_shell(oriel_hook(), server.url(), kStop));
  EXPECT_THAT(server.serve(kAccepted),
              HasSubstr("\r\nOriel-Agent-Pid: " + std::to_string(::getpid()) + "\r\n"));
}

TEST(R_TURN_6, AHookMayBeNamedByItsCommand) {
  Listener server;
  expect_silent(run(by_shell(oriel_hook(" session-end"), server.url(), "{}")));
  EXPECT_THAT(server.serve(kAccepted), StartsWith("POST /api/hooks/session-end HTTP/1.1\r\n"));
}

// The shortest of some tries: a busy machine makes any of them long.
Milliseconds quickest_hook(const std::string& url) {
  Milliseconds shortest = kPatience;
  for (int i = 0; i < 3; ++i) {
    const Timed hook = run_timed(by_shell(oriel_hook(), url, kStop));
    expect_silent(hook.finished);
    shortest = std::min(shortest, hook.time);
  }
  return shortest;
}

TEST(R_TURN_6, AHookDoesNotWaitForAServerThatIsAway) {
  EXPECT_LT(quickest_hook(kNoServer), kQuick);
}

TEST(R_TURN_6, AHookDoesNotWaitForAServerThatHangs) {
  Listener server;
  EXPECT_LT(quickest_hook(server.url()), kQuick);
  EXPECT_TRUE(server.has_caller(kPatience));
}

TEST(R_TURN_6, AHookWhoseInputNeverEndsGivesUpAfterASecond) {
  Listener server;
  const Timed hook = run_timed(by_shell("mkfifo f && " + oriel_hook() + " <>f", server.url(), ""));
  expect_silent(hook.finished);
  EXPECT_LT(hook.time, kPatience / 2);
  EXPECT_FALSE(server.has_caller());
}

TEST(R_TURN_6, AHookTakesAnythingAndNeverFails) {
  const std::string binary = std::string("\x00\xff{\"", 4) + std::string(100'000, '\x01');
  for (const std::string& input : {std::string(), std::string("garbage"), binary}) {
    expect_silent(run(by_shell(oriel_hook(), kNoServer, input)));
    expect_silent(run(by_shell(oriel_hook(" stop"), kNoServer, input)));
  }
  for (const char* rest : {" no-such-hook", " --no-such-flag", " --url", " --url nonsense", " a b"})
    expect_silent(run(by_shell(oriel_hook(rest), kNoServer, kStop)));
  expect_silent(run(by_shell(oriel_hook(), "nonsense", kStop)));
}

TEST(R_TURN_6, AVerboseHookSaysWhatIsWrongAndStillSucceeds) {
  struct Case {
    std::string rest;
    std::string url;
    std::string input;
    std::string said;
  };

  const Listener hanging;
  for (const Case& one : std::vector<Case>{{"", kNoServer, kStop, "connection refused"},
                                           {"", hanging.url(), kStop, "gave up after one second"},
                                           {"", kNoServer, "garbage", "not a JSON object"},
                                           {" stp", kNoServer, kStop, "did you mean stop?"}}) {
    const Finished hook = run(by_shell(oriel_hook(one.rest + " --verbose"), one.url, one.input));
    EXPECT_EQ(hook.exit_code, 0);
    EXPECT_EQ(hook.out, "");
    EXPECT_THAT(hook.err, HasSubstr(one.said));
  }
}

TEST(R_TURN_6, AnAgentThatOrielRunsItselfSendsNoHooks) {
  Listener server;
  Command command = by_shell(oriel_hook(" --verbose"), server.url(), kStop);
  command.environment.emplace_back("ORIEL_AGENT_ID", "oriel-1-2-3-x");
  expect_silent(run(command));
  EXPECT_FALSE(server.has_caller());
}

TEST(R_TURN_6, WhatIsInstalledInTheSettingsRuns) {
  Listener server;
  const TempDir dir;
  const std::string file = dir.path() / "settings.json";
  const Finished installed =
      run_oriel({"hooks", "install", "--settings", file, "--url", server.url()});
  EXPECT_EQ(installed.exit_code, 0) << installed.err;
  const auto settings = boost::json::parse(read_file(file));
  const std::string command(
      settings.at_pointer("/hooks/Stop/0/hooks/0/command").as_string().c_str());
  expect_silent(run(by_shell(command, kNoServer, kStop)));
  EXPECT_THAT(server.serve(kAccepted), StartsWith("POST /api/hooks/stop "));
}

}  // namespace
}  // namespace oriel
