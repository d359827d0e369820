// Turns of sessions that Oriel runs itself.

#include "observed_house.h"
#include "session_client.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>

#include <set>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class HostedTurns : public testing::Test {
 protected:
  HostedTurns() {
    fs::create_directories(dir_.path() / "work");
    fs::create_directories(dir_.path() / "home");
    write_file(dir_.path() / "oriel.toml", "[agents.demo]\ncommand = [\"" ORIEL_DEMO_AGENT
                                           "\", \"--pace\", \"0\"]\nhome = \"" +
                                               (dir_.path() / "home").string() + "\"\n");
    restart();
  }

  void restart() {
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"--config", (dir_.path() / "oriel.toml").string()},
        dir_.path() / "data");
  }

  json::object request() const {
    return {
        {"agent", "demo"}, {"project_id", "web"}, {"workspace", (dir_.path() / "work").string()}};
  }

  std::vector<json::object> turns(const std::string& session_id) const {
    std::vector<json::object> turns;
    const json::object page = get(*server_, "/api/sessions/" + session_id + "/turns").json();
    for (const json::value& turn : page.at("turns").as_array())
      turns.push_back(turn.as_object());
    return turns;
  }

  static std::string kind(const json::object& turn) {
    return std::string(turn.at("actor").as_string()) + " " +
           std::string(turn.at("intent").as_string());
  }

  static Lines kinds(const std::vector<json::object>& turns) {
    Lines kinds;
    for (const json::object& turn : turns)
      kinds.push_back(kind(turn));
    return kinds;
  }

  TempDir dir_;
  std::unique_ptr<ServerProcess> server_;
};

using R_TURN_1 = HostedTurns;
using R_TURN_2 = HostedTurns;

TEST_F(R_TURN_1, AMessageAndItsAnswerAreTurnsOfOneTask) {
  SessionClient session(*server_, request());
  const Events events = session.turn("hello");
  const auto all = turns(session.id());
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(kind(all.front()), "user command");
  EXPECT_EQ(all.front().at("text"), "hello");
  EXPECT_EQ(all.front().at("source"), "message");
  EXPECT_EQ(all.front().at("project_id"), "web");
  EXPECT_EQ(kind(all.back()), "agent completion");
  EXPECT_EQ(all.back().at("text"), final_answer(events));
  EXPECT_EQ(all.back().at("task_id"), all.front().at("task_id"));
  EXPECT_THAT(std::string(all.front().at("task_id").as_string()), StartsWith("task_"));
}

TEST_F(R_TURN_1, AQuestionAndItsAnswerAreTurns) {
  SessionClient session(*server_, request());
  session.send("write note.txt: hello");
  session.until_asked();
  ASSERT_THAT(kinds(turns(session.id())), Contains("agent question"));
  EXPECT_EQ(turns(session.id()).back().at("data").at("status"), "pending");
  session.decide("allow");
  session.until_rest();
  const auto all = turns(session.id());
  EXPECT_THAT(kinds(all), Contains("user answer"));
  for (const json::object& turn : all) {
    if (kind(turn) == "agent question") EXPECT_EQ(turn.at("data").at("status"), "allowed");
  }
  EXPECT_EQ(kind(all.back()), "agent completion");
}

TEST_F(R_TURN_1, AQuestionThatAKillLeftOpenIsNotPendingForEver) {
  SessionClient session(*server_, request());
  session.send("write note.txt: hello");
  session.until_asked();
  server_->kill();
  restart();
  const auto all = turns(session.id());
  std::set<std::string> statuses;
  for (const json::object& turn : all) {
    if (kind(turn) == "agent question") statuses.emplace(turn.at("data").at("status").as_string());
  }
  EXPECT_THAT(statuses, ElementsAre("withdrawn"));
  EXPECT_EQ(kind(all.back()), "agent completion");
  EXPECT_EQ(all.back().at("data").at("status"), "error");
}

TEST_F(R_TURN_2, EventsOfTurnsAreNumberedWithAllOthers) {
  SseClient watcher(*server_, "/api/events?types=turn_created");
  watcher.hello();
  SessionClient session(*server_, request());
  session.turn("hello");
  const json::object created = watcher.next_event().json();
  EXPECT_EQ(created.at("text"), "hello");
  EXPECT_EQ(created.at("data").at("agent_id"), session.id());
  EXPECT_EQ(created.at("data").at("intent"), "command");
  // The session's own count is that of the journal.
  const json::object state = session.state();
  const json::object page =
      get(*server_, "/api/sessions/" + session.id() + "/events?limit=5000").json();
  EXPECT_EQ(state.at("last_index"), page.at("last_index"));
  session.turn("hello again");
  session.end();
  const json::object ended = session.state();
  EXPECT_EQ(ended.at("last_index"),
            get(*server_, "/api/sessions/" + session.id() + "/events?limit=5000")
                .json()
                .at("last_index"));
}

}  // namespace
}  // namespace oriel
