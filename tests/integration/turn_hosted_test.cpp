// Turns of sessions that Oriel runs itself.

#include "hosted_fixture.h"
#include "observed_fixture.h"
#include "session_client.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>

#include <set>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string kind(const json::object& turn) {
  return std::string(turn.at("actor").as_string()) + " " +
         std::string(turn.at("intent").as_string());
}

Lines kinds(const std::vector<json::object>& turns) {
  Lines kinds;
  for (const json::object& turn : turns)
    kinds.push_back(kind(turn));
  return kinds;
}

TEST(R_TURN_1, AMessageAndItsAnswerAreTurnsOfOneTask) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  const Events events = session.task("hello");
  const auto all = fixture.turns(session.id());
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(kind(all.front()), "user command");
  EXPECT_EQ(all.front().at("text"), "hello");
  EXPECT_EQ(all.front().at("source"), "message");
  EXPECT_EQ(all.front().at("project_id"), "web");
  EXPECT_EQ(kind(all.back()), "agent completion");
  EXPECT_EQ(string_of(all.back(), "text"), final_answer(events));
  EXPECT_EQ(all.back().at("task_id"), all.front().at("task_id"));
  EXPECT_THAT(std::string(all.front().at("task_id").as_string()), StartsWith("task_"));
}

TEST(R_TURN_1, AQuestionAndItsAnswerAreTurns) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  session.send("write note.txt: hello");
  session.until_asked();
  ASSERT_THAT(kinds(fixture.turns(session.id())), Contains("agent question"));
  EXPECT_EQ(fixture.turns(session.id()).back().at("data").at("status"), "pending");
  session.decide("allow");
  session.until_rest();
  const auto all = fixture.turns(session.id());
  EXPECT_THAT(kinds(all), Contains("user answer"));
  for (const json::object& turn : all) {
    if (kind(turn) != "agent question") continue;
    EXPECT_EQ(turn.at("data").at("status"), "allowed");
  }
  EXPECT_EQ(kind(all.back()), "agent completion");
}

TEST(R_TURN_1, AQuestionThatAKillLeftOpenIsNotPendingForEver) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  session.send("write note.txt: hello");
  session.until_asked();
  fixture.server().kill();
  fixture.restart();
  const auto all = fixture.turns(session.id());
  std::set<std::string> statuses;
  for (const json::object& turn : all) {
    if (kind(turn) == "agent question") statuses.emplace(turn.at("data").at("status").as_string());
  }
  EXPECT_THAT(statuses, ElementsAre("withdrawn"));
  EXPECT_EQ(kind(all.back()), "agent completion");
  EXPECT_EQ(all.back().at("data").at("status"), "error");
  // Nor in the events.
  const json::object page =
      get(fixture.server(), "/api/sessions/" + session.id() + "/events?limit=5000").json();
  std::vector<std::string> published;
  for (const json::value& event : page.at("events").as_array()) {
    if (event.at("type") == "permission") published.emplace_back(event.at("status").as_string());
  }
  EXPECT_THAT(published, ElementsAre("pending", "withdrawn"));
}

TEST(R_TURN_2, EventsOfTurnsAreNumberedWithAllOthers) {
  HostedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=turn_created");
  watcher.hello();
  SessionClient session(fixture.server(), fixture.request());
  session.task("hello");
  const json::object created = watcher.next_event().json();
  EXPECT_EQ(created.at("text"), "hello");
  EXPECT_EQ(created.at("data").at("agent_id"), json::value(session.id()));
  EXPECT_EQ(created.at("data").at("intent"), "command");
  // The session's own count is that of the journal.
  const json::object state = session.state();
  const json::object page =
      get(fixture.server(), "/api/sessions/" + session.id() + "/events?limit=5000").json();
  EXPECT_EQ(state.at("last_index"), page.at("last_index"));
  session.task("hello again");
  session.end();
  const json::object ended = session.state();
  EXPECT_EQ(ended.at("last_index"),
            get(fixture.server(), "/api/sessions/" + session.id() + "/events?limit=5000")
                .json()
                .at("last_index"));
}

}  // namespace
}  // namespace oriel
