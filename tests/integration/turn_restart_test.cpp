// Oriel is killed while agents work: each turn is there once, whatever was on its way.

#include "observed_fixture.h"

#include <gmock/gmock.h>

#include <set>

namespace oriel {
namespace {

namespace json = boost::json;

TEST(R_TURN_6, AKillInTheMiddleLosesAndDoublesNothing) {
  ObservedFixture fixture;
  Lines wanted;
  for (int i = 0; i < 24; ++i) {
    const std::string number = std::to_string(i);
    const std::string prompt = i % 2 == 0 ? "yes" : "do " + number;
    wanted.push_back("user command: " + prompt);
    wanted.push_back("agent completion: Did " + number + ".");
    fixture.prompt("s1", prompt, "p" + number);
    fixture.write(
        "s1", ObservedFixture::prompt_line("u" + number, prompt, time_before_now(), "p" + number));
    const bool is_down = i % 8 == 5;
    if (is_down) fixture.kill();  // just after a hook was taken
    fixture.write(
        "s1", ObservedFixture::answer_line("a" + number, "Did " + number + ".", time_before_now()));
    if (is_down) fixture.restart();
    fixture.stop("s1", "Did " + number + ".", "p" + number);
  }
  ASSERT_TRUE(fixture.has_turns("s1", wanted, Milliseconds{90'000}))
      << testing::PrintToString(fixture.turns("s1"));

  // The events add up to the same turns.
  std::multiset<std::string> created;
  for (const json::object& event : fixture.events("s1", "turn_created"))
    created.emplace(event.at("data").at("turn_id").as_string());
  for (const json::object& event : fixture.events("s1", "turn_updated")) {
    if (event.at("data").at("update_type") == "withdrawn")
      created.erase(std::string(event.at("data").at("turn_id").as_string()));
  }
  std::multiset<std::string> there;
  for (const json::object& turn : fixture.turn_objects("s1"))
    there.emplace(turn.at("turn_id").as_string());
  EXPECT_EQ(created, there);
  EXPECT_EQ(fixture.events("s1", "session_created").size(), 1U);
}

TEST(R_TURN_3, WhatWasWrittenWhileOrielWasAwayIsReadWithoutAHook) {
  ObservedFixture fixture;
  fixture.prompt("s1", "one");
  fixture.write("s1", ObservedFixture::prompt_line("u1", "one", time_before_now()));
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: one"}));
  fixture.kill();
  fixture.write("s1", ObservedFixture::answer_line("a1", "Did one.", time_before_now()));
  fixture.restart();
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Did one."}));
  EXPECT_EQ(fixture.session("s1").at("is_observed"), true);
}

TEST(R_TURN_1, MoreAgentsThanAreKeptForgetTheOldest) {
  ObservedFixture fixture({"--max-observed", "2"});
  for (const char* id : {"s1", "s2", "s3"}) {
    fixture.prompt(id, "hello");
    ASSERT_TRUE(fixture.has_turns(id, {"user command: hello"}));
  }
  EXPECT_TRUE(eventually([&] { return get(fixture.server(), "/api/sessions/s1").status == 404; }));
  fixture.kill_and_restart();
  EXPECT_EQ(get(fixture.server(), "/api/sessions").json().at("count"), 2);
}

}  // namespace
}  // namespace oriel
