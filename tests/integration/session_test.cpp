// Sessions over REST, with the demo agent: polling, the one shape of events, limits, and what a
// restart leaves.

#include "programs.h"
#include "session_client.h"
#include "sse_client.h"
#include "temp_dir.h"

#include <gmock/gmock.h>

#include <csignal>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// A directory to work in with two files, and a home of its own for the demo agent.
class Fixture {
 public:
  Fixture() {
    fs::create_directories(workspace());
    fs::create_directories(home());
    write_file(workspace() / "one.txt", "one\n");
    write_file(workspace() / "two.txt", "two\n");
    write_file(config(), "[agents.demo]\ncommand = [\"" + demo_agent_program() +
                             "\", \"--pace\", \"0\"]\nhome = \"" + home().string() +
                             "\"\n[projects.known]\nworkspace = \"" + workspace().string() +
                             "\"\n");
  }

  fs::path workspace() const { return dir_.path() / "work"; }

  fs::path home() const { return dir_.path() / "home"; }

  fs::path config() const { return dir_.path() / "oriel.toml"; }

  fs::path data() const { return dir_.path() / "data"; }

  std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--config", config().string()});
    return more;
  }

  json::object request(json::object more = {}) const {
    more["agent"] = "demo";
    if (!more.contains("project_id")) more["workspace"] = workspace().string();
    return more;
  }

 private:
  TempDir dir_;
};

std::vector<std::string> texts_of(const Events& events) {
  std::vector<std::string> texts;
  for (const Event& event : events)
    texts.push_back(string_of(event, "text"));
  return texts;
}

json::object poll(const ServerProcess& server, const std::string& id, const std::string& query) {
  return get(server, "/api/sessions/" + id + "/events" + query).json();
}

class Sessions : public testing::Test {
 protected:
  Fixture fixture_;
  ServerProcess server_{fixture_.flags()};
};

using R_STATUS_1 = Sessions;
using R_STATUS_4 = Sessions;
using R_SHAPE_1 = Sessions;
using R_SHAPE_2 = Sessions;
using R_SHAPE_3 = Sessions;
using R_POLL_1 = Sessions;
using R_POLL_2 = Sessions;
using R_POLL_4 = Sessions;

TEST_F(R_STATUS_4, EachTransitionIsOneStatusEvent) {
  SessionClient session(server_, fixture_.request());
  const Events first = session.task("list");
  const Events second = session.task("count");
  EXPECT_THAT(texts_of(of_type(first, "status")), ElementsAre("running", "idle"));
  EXPECT_THAT(texts_of(of_type(second, "status")), ElementsAre("running", "idle"));
  EXPECT_THAT(of_type(second, "completion"), SizeIs(1));
}

TEST_F(R_SHAPE_1, AnEventBeginsWithTheSixKeysInTheirOrder) {
  SessionClient session(server_, fixture_.request());
  session.task("list");
  const json::object page = poll(server_, session.id(), "");
  for (const json::value& event : page.at("events").as_array()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : event.as_object())
      keys.emplace_back(key);
    keys.resize(6);
    EXPECT_THAT(keys, ElementsAre("index", "type", "text", "tool_name", "role", "session_id"));
    EXPECT_EQ(event.at("session_id").as_string(), session.id());
  }
}

TEST_F(R_SHAPE_3, OnlyTheNineTypesOccur) {
  SessionClient session(server_, fixture_.request());
  for (const Event& event : session.task("list"))
    EXPECT_THAT((std::vector<std::string>{"status", "message", "delta", "tool_call", "tool_result",
                                          "completion", "error", "permission", "system"}),
                Contains(string_of(event, "type")));
}

TEST_F(R_POLL_4, TheSameEventsArePolledAndPushedEachOnceAndInOrder) {
  SseClient watcher(server_);
  watcher.hello();
  SessionClient session(server_, fixture_.request());
  session.send("write note.txt: hello");
  session.until_asked();
  session.decide("allow");
  session.until_rest();
  const json::array polled = poll(server_, session.id(), "").at("events").as_array();
  std::vector<std::string> names;
  for (const json::value& event : polled) {
    const SseFrame frame = watcher.next_event();
    EXPECT_EQ(frame.json(), event.as_object());
    names.push_back(frame.event);
  }
  EXPECT_EQ(names.front(), "session_created");
  for (const char* name :
       {"session_event", "state_transition", "permission_requested", "permission_resolved"})
    EXPECT_THAT(names, Contains(name));
}

TEST_F(R_SHAPE_2, TheFeedIsFilteredByAnEventsOwnTypeToo) {
  SseClient watcher(server_, "/api/events?types=tool_call,session_ended");
  watcher.hello();
  SessionClient session(server_, fixture_.request());
  session.task("list");
  session.end();
  const std::vector<SseFrame> frames = watcher.next_events(2);
  EXPECT_EQ(frames[0].event, "session_event");
  EXPECT_EQ(frames[0].text("type"), "tool_call");
  EXPECT_EQ(frames[1].event, "session_ended");
}

TEST_F(R_POLL_1, APageSaysHowFarItCameAndTheNextGoesOnThere) {
  SessionClient session(server_, fixture_.request());
  session.task("list");
  const json::array all = poll(server_, session.id(), "?since_index=-1").at("events").as_array();
  json::array pieces;
  std::int64_t reached = -1;
  bool has_more = true;
  while (has_more) {
    const json::object page =
        poll(server_, session.id(), "?limit=3&since_index=" + std::to_string(reached));
    for (const json::value& event : page.at("events").as_array())
      pieces.push_back(event);
    reached = page.at("last_index").to_number<std::int64_t>();
    has_more = page.at("has_more").as_bool();
    EXPECT_EQ(page.at("oldest_index").to_number<std::int64_t>(), 0);
    EXPECT_EQ(page.at("status").as_string(), "idle");
  }
  EXPECT_EQ(pieces, all);
}

TEST_F(R_POLL_2, TypesChooseAndDeltasAreThere) {
  SessionClient session(server_, fixture_.request());
  session.task("list");
  const json::object page = poll(server_, session.id(), "?types=delta,completion&limit=5000");
  std::string said;
  for (const json::value& event : page.at("events").as_array()) {
    if (event.at("type").as_string() == "delta") said += event.at("text").as_string();
  }
  const json::value& last = page.at("events").as_array().back();
  EXPECT_EQ(last.at("type").as_string(), "completion");
  EXPECT_THAT(said, HasSubstr(std::string(last.at("text").as_string())));
}

TEST_F(R_POLL_1, AWaitEndsWithTheNextEvent) {
  SessionClient session(server_, fixture_.request());
  session.task("list");
  const std::int64_t last = session.state().at("last_index").to_number<std::int64_t>();
  const std::string after = "since_index=" + std::to_string(last);
  EXPECT_THAT(poll(server_, session.id(), "?wait_ms=50&" + after).at("events").as_array(),
              IsEmpty());
  RawClient connection(server_.port());
  connection.send(
      HttpRequest{.target = "/api/sessions/" + session.id() + "/events?wait_ms=60000&" + after}
          .bytes());
  session.send("list");
  const HttpResponse answer = read_response(connection);
  EXPECT_THAT(answer.json().at("events").as_array(), testing::Not(IsEmpty()));
}

TEST(R_POLL_3, ACursorOlderThanWhatIsHeldIsAnErrorWithBothNumbers) {
  const Fixture fixture;
  const ServerProcess server(fixture.flags({"--store", "memory", "--events-per-session", "5"}));
  SessionClient session(server, fixture.request());
  session.send("list");
  ASSERT_TRUE(eventually([&] { return session.state().at("state").as_string() == "complete"; }));
  const std::int64_t oldest = poll(server, session.id(), "").at("oldest_index").to_number<int>();
  EXPECT_GT(oldest, 1);
  const HttpResponse answer =
      get(server, "/api/sessions/" + session.id() + "/events?since_index=0");
  EXPECT_EQ(answer.status, 410);
  EXPECT_THAT(answer.error(), HasSubstr("were purged (oldest held: " + std::to_string(oldest)));
  const json::object data = answer.json().at("error").at("data").as_object();
  EXPECT_EQ(data.at("oldest_index").to_number<std::int64_t>(), oldest);
  EXPECT_EQ(data.at("asked_index").to_number<std::int64_t>(), 1);
}

TEST(R_POLL_5, MemoryHoldsTheLast1000EventsOfASession) {
  const Fixture fixture;
  const ServerProcess server(fixture.flags({"--store", "memory", "--event-store-bytes", "256MiB"}));
  const SessionClient session(server, fixture.request({{"message", "babble 750"}}));
  json::object page;
  ASSERT_TRUE(eventually(
      [&] {
        const json::object state = session.state();
        page = poll(server, session.id(), "?limit=5000");
        return state.at("state") == "complete" && page.at("last_index") == state.at("last_index");
      },
      kAgentPatience));
  const auto last = page.at("last_index").to_number<std::int64_t>();
  const auto oldest = page.at("oldest_index").to_number<std::int64_t>();
  EXPECT_GE(last, 1500);
  EXPECT_EQ(oldest, last - 999);
  EXPECT_THAT(page.at("events").as_array(), SizeIs(1000));

  const std::string events = "/api/sessions/" + session.id() + "/events?since_index=";
  const HttpResponse older = get(server, events + std::to_string(oldest - 2));
  EXPECT_EQ(older.status, 410);
  EXPECT_EQ(older.error_code(), "events_purged");
  EXPECT_EQ(get(server, events + std::to_string(oldest - 1)).status, 200);
}

TEST_F(Sessions, ARepeatedRequestIsTakenOnce) {
  const json::object request = fixture_.request({{"message", "list"}, {"request_id", "r-1"}});
  const HttpResponse first = post_json(server_, "/api/sessions", request);
  const HttpResponse again = post_json(server_, "/api/sessions", request);
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.json().at("task_id"), first.json().at("task_id"));
  EXPECT_EQ(again.json().at("last_index"), first.json().at("last_index"));
  const std::string id(first.json().at("session").at("session_id").as_string());
  EXPECT_EQ(again.json().at("session").at("session_id").as_string(), id);

  const json::object message{{"message", "count"}, {"request_id", "r-2"}};
  const std::string target = "/api/sessions/" + id + "/messages";
  const HttpResponse sent = post_json(server_, target, message);
  const HttpResponse repeated = post_json(server_, target, message);
  EXPECT_EQ(sent.status, 202);
  EXPECT_EQ(repeated.status, 200);
  EXPECT_EQ(repeated.json().at("task_id"), sent.json().at("task_id"));
}

TEST_F(Sessions, AreListedNewestFirstAndFiltered) {
  const SessionClient first(server_, fixture_.request());
  const SessionClient second(server_, fixture_.request({{"project_id", "known"}}));
  const auto ids = [&](const std::string& query) {
    std::vector<std::string> found;
    const json::object answer = get(server_, "/api/sessions" + query).json();
    for (const json::value& session : answer.at("sessions").as_array())
      found.emplace_back(session.at("session_id").as_string());
    return found;
  };
  EXPECT_THAT(ids(""), ElementsAre(second.id(), first.id()));
  EXPECT_THAT(ids("?limit=1"), ElementsAre(second.id()));
  EXPECT_THAT(ids("?project_id=known"), ElementsAre(second.id()));
  EXPECT_THAT(ids("?agent=other"), IsEmpty());
  EXPECT_THAT(ids("?status=idle"), SizeIs(2));
  EXPECT_EQ(get(server_, "/api/sessions?status=asleep").status, 400);
}

TEST_F(Sessions, AMessageDuringATaskIsATaskOfItsOwnAfterIt) {
  SessionClient session(server_, fixture_.request());
  session.send("slow 300ms count");
  session.send("count");
  const Events first = session.until_rest();
  const Events second = session.until_rest();
  EXPECT_THAT(of_type(first, "completion"), SizeIs(1));
  EXPECT_THAT(of_type(second, "completion"), SizeIs(1));
  EXPECT_NE(string_of(of_type(first, "completion")[0], "task_id"),
            string_of(of_type(second, "completion")[0], "task_id"));
}

TEST_F(Sessions, AnEndedSessionTakesNoMessage) {
  SessionClient session(server_, fixture_.request());
  session.task("list");
  EXPECT_EQ(session.end().status, 200);
  EXPECT_EQ(session.status(), "completed");
  EXPECT_EQ(session.end().status, 200);
  const HttpResponse answer = session.post("/messages", {{"message", "list"}});
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.error_code(), "session_ended");
  EXPECT_EQ(session.cancel().error_code(), "session_ended");
}

TEST_F(Sessions, NothingToCancelIsSaid) {
  SessionClient session(server_, fixture_.request());
  EXPECT_EQ(session.cancel().status, 409);
  EXPECT_EQ(session.cancel().error_code(), "no_task");
}

TEST_F(Sessions, WithoutAWorkspaceAFreshOneIsMade) {
  const SessionClient session(server_, {{"agent", "demo"}});
  const std::string workspace(session.state().at("workspace").as_string());
  EXPECT_THAT(workspace, StartsWith(server_.data_dir().string()));
  EXPECT_TRUE(fs::is_directory(workspace));
}

struct WrongRequest {
  std::string body;
  int status;
  std::string named;
};

TEST_F(Sessions, WrongRequestsAreRefusedAndNamed) {
  const std::vector<WrongRequest> wrong = {
      {R"({"agent":"nobody"})", 400, "nobody"},
      {R"({"agent":7})", 400, "agent"},
      {R"({"agnet":"demo"})", 400, "agnet"},
      {R"({"workspace":"relative"})", 400, "relative"},
      {R"({"workspace":"/no/such/directory"})", 400, "/no/such/directory"},
      {R"({"permissions":"maybe"})", 400, "maybe"},
      {R"({"project_id":"a b"})", 400, "project_id"},
      {R"([])", 400, "object"},
      {R"({)", 400, "JSON"},
  };
  for (const WrongRequest& request : wrong) {
    const HttpRequest post{.method = "POST",
                           .target = "/api/sessions",
                           .headers = {{"Content-Type", "application/json"}},
                           .body = request.body};
    const HttpResponse answer = call(server_, post);
    EXPECT_EQ(answer.status, request.status) << request.body;
    EXPECT_THAT(answer.body, HasSubstr(request.named)) << request.body;
  }
  EXPECT_EQ(call(server_, {.method = "POST", .target = "/api/sessions", .body = "x"}).status, 415);
  EXPECT_THAT(get(server_, "/api/sessions").json().at("sessions").as_array(), IsEmpty());
}

TEST_F(Sessions, UnknownOnesAre404AndBadParameters400) {
  EXPECT_EQ(get(server_, "/api/sessions/ses_none").status, 404);
  EXPECT_EQ(get(server_, "/api/sessions/ses_none/events").status, 404);
  EXPECT_EQ(post_json(server_, "/api/sessions/ses_none/messages", {{"message", "x"}}).status, 404);
  EXPECT_EQ(post_json(server_, "/api/sessions/ses_none/end", {}).status, 404);
  const SessionClient session(server_, fixture_.request());
  const std::string events = "/api/sessions/" + session.id() + "/events";
  for (const char* query : {"?since_index=-2", "?since_index=x", "?limit=0", "?limit=5001",
                            "?wait_ms=60001", "?types=a%20b", "?sinceindex=1"}) {
    EXPECT_EQ(get(server_, events + query).status, 400) << query;
  }
  EXPECT_EQ(session.post("/messages", {{"message", ""}}).status, 400);
  EXPECT_EQ(session.post("/permissions/perm_none", {{"decision", "allow"}}).status, 404);
  EXPECT_EQ(session.post("/permissions/perm_none", {}).status, 400);
}

TEST_F(Sessions, NobodyElsePublishesIntoThem) {
  const SessionClient session(server_, fixture_.request());
  const HttpResponse answer =
      post_event(server_, R"({"type":"x","session_id":")" + session.id() + "\"}");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.error(), HasSubstr(session.id()));
}

TEST(SessionLimits, AgentsOfAProjectAndOfAllAreLimited) {
  const Fixture fixture;
  const ServerProcess server(
      fixture.flags({"--max-sessions-per-project", "1", "--max-sessions", "2"}));
  SessionClient first(server, fixture.request({{"project_id", "known"}}));
  first.task("list");
  const HttpResponse second =
      post_json(server, "/api/sessions", fixture.request({{"project_id", "known"}}));
  EXPECT_EQ(second.status, 429);
  EXPECT_THAT(second.error(), HasSubstr("known"));
  EXPECT_NE(second.header("retry-after"), "");

  SessionClient other(server, fixture.request());
  other.task("list");
  EXPECT_EQ(post_json(server, "/api/sessions", fixture.request()).status, 429);
  first.end();
  EXPECT_EQ(post_json(server, "/api/sessions", fixture.request()).status, 201);
}

TEST(SessionLimits, WaitingMessagesAreLimited) {
  const Fixture fixture;
  const ServerProcess server(fixture.flags({"--max-queued-messages", "1"}));
  SessionClient session(server, fixture.request());
  session.send("slow 20s");
  session.until([](const Event& event) { return string_of(event, "text") == "running"; });
  session.send("list");
  const HttpResponse answer = session.post("/messages", {{"message", "count"}});
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.error_code(), "too_many_messages");
}

TEST(SessionLimits, OnlySoManyRestingSessionsStayListed) {
  const Fixture fixture;
  const ServerProcess server(fixture.flags({"--max-kept-sessions", "2"}));
  const SessionClient first(server, fixture.request());
  const SessionClient second(server, fixture.request());
  const SessionClient third(server, fixture.request());
  EXPECT_EQ(get(server, "/api/sessions/" + first.id()).status, 404);
  EXPECT_EQ(get(server, "/api/sessions/" + third.id()).status, 200);
}

TEST(SessionLimits, AnIdleAgentIsStoppedAndTheNextMessageStartsIt) {
  const Fixture fixture;
  const ServerProcess server(fixture.flags({"--stop-idle-after", "200ms"}));
  SessionClient session(server, fixture.request());
  session.task("list");
  session.until([](const Event& event) {
    return string_of(event, "text").find("was idle") != std::string::npos;
  });
  EXPECT_FALSE(session.state().at("is_live").as_bool());
  const Events woken = session.task("count");
  EXPECT_EQ(string_of(of_type(woken, "completion").at(0), "status"), "completed");
}

TEST(SessionRestart, SessionsAreListedAndTheNextMessageResumesTheAgent) {
  const Fixture fixture;
  std::string id;
  json::value agent_session_id;
  {
    const ServerProcess server(fixture.flags(), fixture.data());
    SessionClient session(server, fixture.request());
    session.task("list");
    id = session.id();
    agent_session_id = session.state().at("agent_session_id");
  }
  const ServerProcess server(fixture.flags(), fixture.data());
  SessionClient session(server, id);
  EXPECT_EQ(session.status(), "idle");
  const Events events = session.task("count");
  EXPECT_EQ(string_of(of_type(events, "completion").at(0), "status"), "completed");
  EXPECT_EQ(session.state().at("agent_session_id"), agent_session_id);
  const json::object turns = get(server, "/api/sessions/" + id + "/turns").json();
  EXPECT_EQ(session.state().at("turns"), turns.at("count"));
}

TEST(SessionRestart, ATaskAtWorkWhenOrielWasKilledIsSaidToHaveEnded) {
  const Fixture fixture;
  std::string id;
  {
    ServerProcess server(fixture.flags(), fixture.data());
    SessionClient session(server, fixture.request());
    session.send("slow 60s");
    session.until([](const Event& event) { return string_of(event, "text") == "running"; });
    id = session.id();
    server.kill();
  }
  const ServerProcess server(fixture.flags(), fixture.data());
  SessionClient session(server, id);
  EXPECT_EQ(session.status(), "idle");
  const json::object page = poll(server, id, "?types=error,completion");
  ASSERT_THAT(page.at("events").as_array(), SizeIs(2));
  EXPECT_THAT(std::string(page.at("events").at(0).at("text").as_string()),
              HasSubstr("Oriel ended"));
  EXPECT_EQ(page.at("events").at(1).at("status").as_string(), "error");
}

TEST(SessionRestart, APermissionPendingWhenOrielWasKilledIsWithdrawnOnce) {
  const Fixture fixture;
  std::string id;
  std::string permission;
  {
    ServerProcess server(fixture.flags(), fixture.data());
    SessionClient session(server, fixture.request());
    session.send("write note.txt: hello");
    session.until_asked();
    id = session.id();
    permission = session.state().at("permissions").at(0).at("permission_id").as_string().c_str();
    server.kill();
  }
  for (int restart = 0; restart < 2; ++restart) {
    const ServerProcess server(fixture.flags(), fixture.data());
    const SessionClient session(server, id);
    EXPECT_THAT(session.state().at("permissions").as_array(), IsEmpty());
    const json::object page = poll(server, id, "?types=permission");
    ASSERT_THAT(page.at("events").as_array(), SizeIs(2));
    const Event& last = page.at("events").at(1).as_object();
    EXPECT_EQ(string_of(last, "status"), "withdrawn");
    EXPECT_EQ(last.at("data").at("permission_id").as_string(), permission);
    EXPECT_EQ(session.post("/permissions/" + permission, {{"decision", "allow"}}).status, 404);
  }
}

TEST(R_SSE_11, SigtermEndsAgentsAtWorkWithinFiveSecondsAndStoresTheirEnd) {
  const Fixture fixture;
  std::string id;
  {
    ServerProcess server(fixture.flags(), fixture.data());
    SessionClient session(server, fixture.request());
    session.send("hang");
    session.until([](const Event& event) { return string_of(event, "text") == "running"; });
    id = session.id();
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait_exit(Milliseconds(5000)), 0);
  }
  const ServerProcess server(fixture.flags(), fixture.data());
  const json::object page = poll(server, id, "?types=completion");
  ASSERT_THAT(page.at("events").as_array(), SizeIs(1));
  EXPECT_EQ(page.at("events").at(0).at("status").as_string(), "error");
}

TEST(Projects, ARepositoryGivesEachSessionAWorktree) {
  const Fixture fixture;
  const fs::path repository = fixture.data().parent_path() / "repo";
  const std::string git = "git -c user.name=t -c user.email=t@localhost -C " + repository.string();
  ASSERT_EQ(std::system(("git init -q " + repository.string()).c_str()), 0);
  write_file(repository / "file.txt", "tracked\n");
  ASSERT_EQ(std::system((git + " add . && " + git + " commit -qm first").c_str()), 0);
  const fs::path config = fixture.data().parent_path() / "projects.toml";
  write_file(config, "[projects.repo]\nrepository = \"" + repository.string() + "\"\n");
  const ServerProcess server({"--config", config.string()});
  const SessionClient session(server, {{"agent", "demo"}, {"project_id", "repo"}});
  const fs::path workspace(std::string(session.state().at("workspace").as_string()));
  EXPECT_TRUE(fs::exists(workspace / "file.txt"));
  EXPECT_TRUE(fs::exists(workspace / ".git"));
}

}  // namespace
}  // namespace oriel
