// Hooks of agents that people run themselves, over HTTP: what they make, what is refused, and what
// becomes of those that are lost, doubled or late.

#include "observed_fixture.h"
#include "session_client.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>

#include <csignal>
#include <functional>
#include <random>
#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

TEST(R_TURN_1, AHookMakesATurnOfASessionThatIsObserved) {
  ObservedFixture fixture;
  const HttpResponse answer = fixture.prompt("s1", "fix it");
  EXPECT_EQ(answer.status, 202);
  EXPECT_EQ(answer.json().at("session_id"), "s1");
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: fix it"}));
  const json::object session = fixture.session("s1");
  EXPECT_EQ(session.at("is_observed"), true);
  EXPECT_EQ(session.at("agent"), "claude");
  EXPECT_EQ(session.at("title"), "fix it");
  EXPECT_EQ(session.at("state"), "commanded");
  EXPECT_EQ(string_of(session, "workspace"), fixture.work().string());
  const json::object turn = fixture.turn_objects("s1").at(0);
  EXPECT_EQ(turn.at("source"), "hook");
  EXPECT_EQ(turn.at("agent_id"), "s1");
  EXPECT_EQ(turn.at("project_id"), session.at("project_id"));
}

TEST(R_TURN_1, AnObservedSessionIsListedBesideOthersAndHasAProject) {
  ObservedFixture fixture;
  fixture.prompt("s1", "fix it");
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: fix it"}));
  EXPECT_EQ(get(fixture.server(), "/api/sessions").json().at("count"), 1);
  const json::object projects = get(fixture.server(), "/api/projects").json();
  ASSERT_EQ(projects.at("projects").as_array().size(), 1U);
  const json::object project = projects.at("projects").as_array().at(0).as_object();
  EXPECT_EQ(project.at("name"), "work");
  EXPECT_EQ(project.at("project_id"), fixture.session("s1").at("project_id"));
  EXPECT_EQ(project.at("sessions"), 1);
}

TEST(R_TURN_1, AnObservedAgentIsTalkedToInItsOwnTerminal) {
  ObservedFixture fixture;
  fixture.prompt("s1", "fix it");
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: fix it"}));
  const SessionClient client(fixture.server(), "s1");
  for (const HttpResponse& answer :
       {client.post("/messages", {{"message", "hello"}}), client.cancel(), client.end(),
        client.post("/permissions/perm_1", {{"decision", "allow"}})}) {
    EXPECT_EQ(answer.status, 409);
    EXPECT_EQ(answer.error_code(), "observed");
  }
}

TEST(R_TURN_1, TasksGroupTurnsByTheirCommand) {
  ObservedFixture fixture;
  fixture.prompt("s1", "one", "p1");
  fixture.stop("s1", "Done one.", "p1");
  fixture.prompt("s1", "two", "p2");
  ASSERT_TRUE(eventually([&] { return fixture.turns("s1").size() == 3; }));
  const json::object answer = get(fixture.server(), "/api/sessions/s1/tasks").json();
  const json::array& tasks = answer.at("tasks").as_array();
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks.at(0).at("title"), "one");
  EXPECT_EQ(tasks.at(0).at("state"), "complete");
  EXPECT_EQ(tasks.at(0).at("turns"), 2);
  EXPECT_EQ(tasks.at(1).at("state"), "commanded");
}

TEST(R_TURN_2, ANewTurnIsPublishedWithAllItsKeys) {
  ObservedFixture fixture;
  SseClient watcher(fixture.server());
  watcher.hello();
  fixture.prompt("s1", "fix it");
  const json::object event = next_of(watcher, "turn_created").json();
  EXPECT_EQ(event.at("text"), "fix it");
  EXPECT_EQ(event.at("session_id"), "s1");
  const json::object& data = event.at("data").as_object();
  EXPECT_EQ(data.at("agent_id"), "s1");
  EXPECT_EQ(data.at("actor"), "user");
  EXPECT_EQ(data.at("intent"), "command");
  EXPECT_EQ(data.at("task_id"), event.at("task_id"));
  EXPECT_THAT(std::string(data.at("turn_id").as_string()), StartsWith("turn_"));
  EXPECT_EQ(data.at("timestamp"), event.at("timestamp"));
  EXPECT_THAT(std::string(data.at("task_id").as_string()), StartsWith("task_"));
  EXPECT_THAT(std::string(data.at("project_id").as_string()), StartsWith("work-"));
}

TEST(R_TURN_5, HooksCauseStateTransitions) {
  ObservedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=state_transition");
  watcher.hello();
  json::object tool = fixture.hook_of("s1");
  tool["tool_name"] = "Bash";
  tool["tool_use_id"] = "t1";
  tool["tool_input"] = json::object{{"command", "ls"}};
  fixture.prompt("s1", "fix it");
  fixture.hook("pre-tool-use", tool);
  json::object asked = tool;
  asked.erase("tool_use_id");
  fixture.hook("permission-request", asked);
  fixture.hook("post-tool-use", tool);
  fixture.stop("s1", "Done.");
  Lines states;
  for (int i = 0; i < 5; ++i)
    states.push_back(watcher.next_event().text("text"));
  EXPECT_EQ(states,
            (Lines{"idle -> commanded", "commanded -> processing", "processing -> awaiting_input",
                   "awaiting_input -> processing", "processing -> complete"}));
}

TEST(R_TURN_5, SilenceIsPublishedWithItsKind) {
  ObservedFixture fixture({"--observed-silence", "200ms"});
  SseClient watcher(fixture.server(), "/api/events?types=agent_silence");
  watcher.hello();
  fixture.prompt("s1", "fix it");
  const json::object quiet = watcher.next_event().json();
  EXPECT_EQ(quiet.at("data").at("kind"), "unknown");
  json::object tool = fixture.hook_of("s1");
  tool["tool_name"] = "Bash";
  tool["tool_use_id"] = "t1";
  fixture.hook("pre-tool-use", tool);
  EXPECT_EQ(watcher.next_event().json().at("data").at("kind"), "tool");
  EXPECT_EQ(fixture.session("s1").at("silence"), "tool");
}

TEST(R_TURN_5, AnAgentWhoseProcessIsKilledHasEnded) {
  ObservedFixture fixture({"--observed-silence", "200ms"});
  TestProcess agent({.words = {"/bin/sleep", "600"}});
  json::object body = fixture.hook_of("s1");
  body["prompt"] = "fix it";
  fixture.hook("user-prompt-submit", body, {{"Oriel-Agent-Pid", std::to_string(agent.pid())}});
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: fix it"}));
  EXPECT_EQ(fixture.session("s1").at("is_live"), true);
  agent.signal(SIGKILL);
  agent.wait_exit();
  EXPECT_TRUE(eventually([&] { return fixture.shown("s1", "status") == "completed"; }));
  EXPECT_EQ(fixture.session("s1").at("reason"), "its process has ended");
}

TEST(R_TURN_6, AllEightHooksAreTaken) {
  ObservedFixture fixture;
  json::object body = fixture.hook_of("s1");
  body["prompt"] = "hello";
  body["tool_name"] = "Bash";
  for (const char* kind :
       {"session-start", "user-prompt-submit", "pre-tool-use", "permission-request",
        "post-tool-use", "notification", "stop", "session-end"})
    EXPECT_EQ(fixture.hook(kind, body).status, 202) << kind;
  EXPECT_TRUE(eventually([&] { return fixture.shown("s1", "status") == "completed"; }));
}

TEST(R_TURN_6, WhatIsNoHookIsRefusedWithAReason) {
  ObservedFixture fixture({"--max-body-bytes", "64KiB"});
  const auto send = [&](const std::string& kind, const std::string& body,
                        const std::string& type = "application/json") {
    return call(fixture.server(), {.method = "POST",
                                   .target = "/api/hooks/" + kind,
                                   .headers = {{"Content-Type", type}},
                                   .body = body});
  };
  EXPECT_EQ(send("no-such-hook", "{}").status, 404);
  EXPECT_EQ(send("stop", "{").status, 400);
  EXPECT_EQ(send("stop", "[1]").status, 400);
  EXPECT_EQ(send("stop", "\xff\xfe").status, 400);
  EXPECT_THAT(send("stop", "{}").error(), HasSubstr("session_id"));
  EXPECT_EQ(send("stop", "{}").status, 400);
  EXPECT_EQ(send("stop", R"({"session_id":"../x"})").status, 400);
  EXPECT_THAT(send("stop", R"({"session_id":"s","hook_event_name":"SessionEnd"})").error(),
              HasSubstr("hook_event_name"));
  EXPECT_EQ(send("user-prompt-submit", R"({"session_id":"s"})").status, 400);
  EXPECT_EQ(send("stop", R"({"session_id":"ses_1"})").status, 400);
  EXPECT_EQ(send("stop", R"({"session_id":"s"})", "text/plain").status, 415);
  EXPECT_EQ(send("stop", std::string((64 << 10) + 1, ' ')).status, 413);
  EXPECT_EQ(get(fixture.server(), "/api/hooks/stop").status, 405);
  EXPECT_EQ(get(fixture.server(), "/api/sessions").json().at("count"), 0);
}

TEST(R_TURN_6, HooksThatComeAtOnceMakeOneAgent) {
  ObservedFixture fixture;
  std::vector<std::jthread> agents;
  for (int i = 0; i < 8; ++i) {
    agents.emplace_back([&, i] {
      json::object body = fixture.hook_of("s1");
      body["tool_name"] = "Bash";
      fixture.hook(i % 2 == 0 ? "session-start" : "pre-tool-use", body);
    });
  }
  agents.clear();
  ASSERT_TRUE(eventually([&] { return fixture.session("s1").contains("session_id"); }));
  EXPECT_EQ(get(fixture.server(), "/api/sessions").json().at("count"), 1);
  EXPECT_THAT(fixture.events("s1", "session_created"), SizeIs(1));
}

TEST(R_TURN_6, AnUnknownPageOfTurnsIsRefused) {
  ObservedFixture fixture;
  fixture.prompt("s1", "hello");
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: hello"}));
  EXPECT_EQ(get(fixture.server(), "/api/sessions/nobody/turns").status, 404);
  EXPECT_EQ(get(fixture.server(), "/api/sessions/s1/turns?after=x").status, 400);
  EXPECT_EQ(get(fixture.server(), "/api/sessions/s1/turns?limit=0").status, 400);
  EXPECT_EQ(get(fixture.server(), "/api/sessions/nobody/tasks").status, 404);
}

TEST(R_TURN_6, TurnsArePagedByTheirOrder) {
  ObservedFixture fixture;
  std::string lines;
  for (int i = 0; i < 9; ++i)
    lines += ObservedFixture::prompt_line("u" + std::to_string(i), std::to_string(i),
                                          time_before_now(Milliseconds{1000 - i}));
  fixture.prompt("s1", "0");
  fixture.write("s1", lines);
  ASSERT_TRUE(eventually([&] { return fixture.turns("s1").size() == 9; }));
  std::string cursor = "0-0";
  std::string seen;
  for (bool has_later = true; has_later;) {
    const json::object page =
        get(fixture.server(), "/api/sessions/s1/turns?limit=4&after=" + cursor).json();
    for (const json::value& turn : page.at("turns").as_array())
      seen += std::string(turn.at("text").as_string());
    cursor = page.at("turns").as_array().back().at("cursor").as_string();
    has_later = page.at("has_later").as_bool();
  }
  EXPECT_EQ(seen, "012345678");
  const json::object newest = get(fixture.server(), "/api/sessions/s1/turns?limit=2").json();
  EXPECT_EQ(newest.at("turns").as_array().front().at("text"), "7");
}

// Lost, doubled and late hooks, beside a transcript that is written as time passes.
TEST(R_TURN_6, LostRepeatedAndLateHooksEndAsTheTranscriptHasThem) {
  ObservedFixture fixture;
  std::mt19937 random(5);
  const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
  std::vector<std::function<void()>> late;
  Lines wanted;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    const std::string prompt = i % 3 == 2 ? "yes" : "do " + number;
    const std::string answer = "Did " + number + ".";
    wanted.push_back("user command: " + prompt);
    wanted.push_back("agent completion: " + answer);
    const auto asked = [&fixture, prompt, number] { fixture.prompt("s1", prompt, "p" + number); };
    const auto stopped = [&fixture, answer, number] { fixture.stop("s1", answer, "p" + number); };
    for (const std::function<void()>& hook :
         {std::function<void()>(asked), std::function<void()>(stopped)}) {
      if (chance(25)) continue;
      if (chance(30)) {
        late.push_back(hook);
        if (chance(50)) hook();
      } else {
        hook();
      }
    }
    fixture.write(
        "s1", ObservedFixture::prompt_line("u" + number, prompt, time_before_now(), "p" + number));
    if (chance(50)) std::this_thread::sleep_for(Milliseconds{20});
    fixture.write("s1", ObservedFixture::answer_line("a" + number, answer, time_before_now()));
    while (!late.empty() && chance(40)) {
      late.back()();
      late.pop_back();
    }
  }
  for (const std::function<void()>& hook : late)
    hook();
  EXPECT_TRUE(fixture.has_turns("s1", wanted, Milliseconds{90'000}))
      << testing::PrintToString(fixture.turns("s1"));
}

}  // namespace
}  // namespace oriel
