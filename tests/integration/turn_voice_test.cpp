// Turns that people speak: POST /api/turns with JSON.

#include "hosted_fixture.h"
#include "observed_fixture.h"
#include "session_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::SizeIs;

HttpResponse speak(HostedFixture& fixture, const std::string& session_id, const std::string& text,
                   json::object more = {}) {
  json::object body{{"session_id", session_id}, {"text", text}, {"source", "voice"}};
  for (const auto& [key, value] : more)
    body[key] = value;
  return post_json(fixture.server(), "/api/turns", body);
}

std::vector<json::object> said_by_user(HostedFixture& fixture, const std::string& session_id) {
  std::vector<json::object> turns = fixture.turns(session_id);
  std::erase_if(turns, [](const json::object& turn) { return turn.at("actor") != "user"; });
  return turns;
}

TEST(R_TURN_1, AVoiceCommandReachesTheAgentAndIsOneTurn) {
  HostedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=turn_created");
  watcher.hello();
  SessionClient session(fixture.server(), fixture.request());
  const HttpResponse answer = speak(fixture, session.id(), "list");
  ASSERT_EQ(answer.status, 202) << answer.body;
  EXPECT_EQ(answer.json().at("session_id"), json::value(session.id()));
  EXPECT_TRUE(answer.json().at("files").as_array().empty());
  const Events events = session.until_rest();
  EXPECT_THAT(final_answer(events), HasSubstr("0 files"));
  Events messages = of_type(events, "message");
  std::erase_if(messages, [](const Event& event) { return event.at("role") != "user"; });
  ASSERT_THAT(messages, SizeIs(1));
  EXPECT_EQ(messages.front().at("data").at("source"), "voice");

  const auto turns = said_by_user(fixture, session.id());
  ASSERT_THAT(turns, SizeIs(1));
  EXPECT_EQ(turns.front().at("turn_id"), answer.json().at("turn_id"));
  EXPECT_EQ(turns.front().at("text"), "list");
  EXPECT_EQ(turns.front().at("source"), "voice");
  EXPECT_EQ(turns.front().at("intent"), "command");
  EXPECT_EQ(turns.front().at("timestamp_source"), "server");
  const json::object created = watcher.next_event().json();
  EXPECT_EQ(created.at("data").at("source"), "voice");
  EXPECT_EQ(created.at("data").at("turn_id"), answer.json().at("turn_id"));
}

TEST(R_TURN_1, AVoiceCommandHasTheTimeAtWhichItWasSpoken) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const std::string time = time_before_now(Milliseconds(90'000));
  ASSERT_EQ(speak(fixture, session.id(), "list", {{"timestamp", time}}).status, 202);
  session.until_rest();
  const json::object turn = said_by_user(fixture, session.id()).at(0);
  EXPECT_EQ(turn.at("timestamp"), json::value(time));
  EXPECT_EQ(turn.at("timestamp_source"), "user");
}

TEST(R_TURN_1, AVoiceCommandWaitsForTheTurnAtWork) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  session.send("slow 1s list");
  session.until([](const Event& event) { return string_of(event, "text") == "running"; });
  const HttpResponse answer = speak(fixture, session.id(), "count");
  ASSERT_EQ(answer.status, 202);
  EXPECT_EQ(answer.json().at("queued").to_number<int>(), 1);
  session.until_rest();
  session.until_rest();
  const auto turns = said_by_user(fixture, session.id());
  ASSERT_THAT(turns, SizeIs(2));
  EXPECT_EQ(turns.at(1).at("source"), "voice");
}

TEST(R_TURN_1, ARepeatedVoiceCommandIsTakenOnce) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const HttpResponse first = speak(fixture, session.id(), "list", {{"request_id", "r1"}});
  const HttpResponse again = speak(fixture, session.id(), "list", {{"request_id", "r1"}});
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.json().at("turn_id"), first.json().at("turn_id"));
  session.until_rest();
  EXPECT_THAT(said_by_user(fixture, session.id()), SizeIs(1));
}

TEST(R_TURN_1, AVoiceCommandThatCannotBeTakenIsRefusedWithAReason) {
  HostedFixture fixture({"--max-body-bytes", "10KiB"});
  SessionClient session(fixture.server(), fixture.request());
  EXPECT_EQ(speak(fixture, "ses_none", "list").error_code(), "unknown_session");
  EXPECT_EQ(speak(fixture, session.id(), " \n").status, 400);
  EXPECT_EQ(speak(fixture, session.id(), "list", {{"source", "hook"}}).status, 400);
  EXPECT_EQ(speak(fixture, session.id(), "list", {{"color", "red"}}).status, 400);
  EXPECT_EQ(speak(fixture, session.id(), "list", {{"session_id", 7}}).status, 400);
  EXPECT_EQ(speak(fixture, session.id(), "list", {{"timestamp", "soon"}}).status, 400);
  EXPECT_THAT(speak(fixture, session.id(), "list", {{"timestamp", "1999-01-01T00:00:00Z"}}).error(),
              HasSubstr("last 24 hours"));
  EXPECT_EQ(speak(fixture, session.id(), std::string(20'000, 'x')).status, 413);
  const HttpResponse text = call(fixture.server(), {.method = "POST",
                                                    .target = "/api/turns",
                                                    .headers = {{"Content-Type", "text/plain"}},
                                                    .body = "list"});
  EXPECT_EQ(text.status, 415);
  EXPECT_EQ(get(fixture.server(), "/api/turns").status, 405);
  EXPECT_THAT(fixture.turns(session.id()), SizeIs(0));
  session.end();
  EXPECT_EQ(speak(fixture, session.id(), "list").error_code(), "session_ended");
  EXPECT_EQ(speak(fixture, session.id(), "list").status, 409);
}

TEST(R_TURN_1, AnAgentThatSomebodyElseRunsCannotBeSpokenTo) {
  ObservedFixture fixture;
  fixture.prompt("abc", "hello");
  ASSERT_TRUE(fixture.has_turns("abc", {"user command: hello"}));
  const HttpResponse answer =
      post_json(fixture.server(), "/api/turns",
                {{"session_id", "abc"}, {"text", "list"}, {"source", "voice"}});
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.error_code(), "observed");
  EXPECT_EQ(fixture.turns("abc"), Lines{"user command: hello"});
}

}  // namespace
}  // namespace oriel
