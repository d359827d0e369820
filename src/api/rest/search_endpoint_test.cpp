#include "api/rest/search_endpoint.h"

#include "api/api_testing.h"
#include "base/event/turn_event.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SearchFixture : public ApiFixture {
 protected:
  SearchFixture() {
    endpoint_.add_routes(router_);
    on_shard([this] { index_.start(); });
  }

  std::string start_session(const std::string& project, const std::string& title) {
    NewSession wanted;
    wanted.project_id = project;
    wanted.title = title;
    return wait(supervisor_.create(std::move(wanted))).value().session->session_id;
  }

  void say(const std::string& session_id, const std::string& text) {
    Turn turn;
    turn.turn_id = "turn_" + std::to_string(++turns_);
    turn.session_id = session_id;
    turn.task_id = "task_1";
    turn.text = text;
    turn.timestamp = WallTime(std::chrono::hours(24 * 20'000));
    std::vector<SessionEvent> events{turn_created_event(turn, 41)};
    wait(journal_.append(std::move(events))).value();
  }

  json::object search(const std::string& query) {
    EXPECT_TRUE(eventually([this] { return index_.status().position >= journal_.head(); }));
    const http::Response response = send("GET", "/api/search?" + query);
    EXPECT_EQ(response.status, 200) << *response.body;
    return json_of(response).as_object();
  }

  std::vector<std::string> found(const std::string& query) {
    std::vector<std::string> snippets;
    const json::object answer = search(query);
    for (const json::value& result : answer.at("results").as_array())
      snippets.emplace_back(result.at("snippet").as_string());
    return snippets;
  }

  SearchEndpoint endpoint_{search_};
  int turns_ = 0;
};

using R_SEARCH_6_Rest = SearchFixture;

TEST_F(R_SEARCH_6_Rest, AResultSaysWhereItIsAndHowToOpenIt) {
  const std::string id = start_session("shop", "Fix the build");
  say(id, "Exit code 3, again");
  const json::object answer = search("q=code");
  ASSERT_EQ(answer.at("results").as_array().size(), 1U);
  json::object result = answer.at("results").at(0).as_object();
  EXPECT_GT(result.at("sequence").to_number<int>(), 0);
  result.erase("sequence");
  EXPECT_EQ(json::value(result), (json::value{{"session_id", id},
                                              {"title", "Fix the build"},
                                              {"agent", "silent"},
                                              {"type", "message"},
                                              {"snippet", "Exit code 3, again"},
                                              {"ranges", json::array{json::array{5, 9}}},
                                              {"link", "#/sessions/" + id + "?at=turn_1"},
                                              {"project_id", "shop"},
                                              {"timestamp", "2024-10-04T00:00:00.000Z"},
                                              {"role", "user"},
                                              {"index", 41},
                                              {"task_id", "task_1"},
                                              {"turn_id", "turn_1"}}));
  EXPECT_EQ(answer.at("has_more"), false);
  EXPECT_EQ(answer.at("cursor"), nullptr);
  EXPECT_EQ(answer.at("pending_events"), 0);
}

TEST_F(R_SEARCH_6_Rest, FiltersSelectSessionsTypesAndRoles) {
  const std::string shop = start_session("shop", "alpha title");
  const std::string web = start_session("web", "other");
  say(shop, "alpha in shop");
  say(web, "alpha in web");
  EXPECT_THAT(found("q=alpha"), ElementsAre("alpha title shop", "alpha in web", "alpha in shop"));
  EXPECT_THAT(found("q=alpha&project_id=web"), ElementsAre("alpha in web"));
  EXPECT_THAT(found("q=alpha&session_id=" + shop),
              ElementsAre("alpha title shop", "alpha in shop"));
  EXPECT_THAT(found("q=alpha&agent=nobody"), IsEmpty());
  EXPECT_THAT(found("q=alpha&types=title"), ElementsAre("alpha title shop"));
  EXPECT_THAT(found("q=alpha&types=error,tool_call"), IsEmpty());
  EXPECT_THAT(found("q=alpha&types=message&role=agent"), IsEmpty());
  EXPECT_THAT(found("q=alpha&since=2024-10-04T00:00:00Z"),
              ElementsAre("alpha in web", "alpha in shop"));
  EXPECT_THAT(found("q=alpha&until=2024-10-04T00:00:00Z"), IsEmpty());
}

TEST_F(R_SEARCH_6_Rest, PagesGoOnAtTheCursor) {
  const std::string id = start_session("shop", "t");
  for (int i = 0; i < 5; ++i)
    say(id, "needle " + std::to_string(i));
  const json::object first = search("q=needle&limit=3");
  EXPECT_EQ(first.at("has_more"), true);
  EXPECT_THAT(found("q=needle&limit=3&cursor=" + std::string(first.at("cursor").as_string())),
              ElementsAre("needle 1", "needle 0"));
}

TEST_F(R_SEARCH_6_Rest, WrongParametersAreNamed) {
  const auto problem = [this](const std::string& query) {
    const http::Response response = send("GET", "/api/search?" + query);
    EXPECT_EQ(response.status, 400) << query;
    return std::string(json_of(response).at("error").at("message").as_string());
  };
  EXPECT_EQ(problem(""), "q: has no word");
  EXPECT_EQ(problem("q=x*"), "q: x* is too short for a prefix");
  EXPECT_THAT(problem("q=a&types=secret"), HasSubstr("types: \"secret\""));
  EXPECT_THAT(problem("q=a&types="), HasSubstr("types: \"\""));
  EXPECT_THAT(problem("q=a&role=root"), HasSubstr("role: \"root\""));
  EXPECT_THAT(problem("q=a&since=yesterday"), HasSubstr("since: \"yesterday\""));
  EXPECT_THAT(problem("q=a&until=2024"), HasSubstr("until: \"2024\""));
  EXPECT_THAT(problem("q=a&cursor=x"), HasSubstr("cursor: \"x\""));
  for (const char* const limit : {"0", "101", "-1", "x"})
    EXPECT_THAT(problem(std::string("q=a&limit=") + limit), HasSubstr("limit"));
  EXPECT_THAT(problem("q=a&colour=red"), HasSubstr("colour"));
  EXPECT_EQ(send("GET", "/api/search?q=a&session_id=none").status, 404);
}

using R_AUTH_3_Search = SearchFixture;

TEST_F(R_AUTH_3_Search, OnlyVisibleSessionsAreFound) {
  const std::string shop = start_session("shop", "alpha title");
  const std::string web = start_session("web", "alpha secret title");
  say(shop, "alpha in shop");
  for (int i = 0; i < 5; ++i)
    say(web, "alpha in web");
  principal_ = {
      .name = "ann", .credential_id = "c", .scopes = {Scope::kRead}, .projects = {"shop"}};
  EXPECT_THAT(found("q=alpha"), UnorderedElementsAre("alpha title shop", "alpha in shop"));
  EXPECT_THAT(found("q=alpha&project_id=web"), IsEmpty());
  EXPECT_THAT(found("q=secret"), IsEmpty());
  const json::object one = search("q=alpha&types=message&limit=1");
  EXPECT_EQ(one.at("has_more"), false) << "it does not count what is hidden";
  const http::Response hidden = send("GET", "/api/search?q=alpha&session_id=" + web);
  const http::Response unknown = send("GET", "/api/search?q=alpha&session_id=ses_none");
  EXPECT_EQ(hidden.status, 404);
  EXPECT_EQ(code_in(hidden), code_in(unknown));
  principal_.projects = {};
  principal_.session_id = web;
  EXPECT_THAT(
      found("q=alpha&types=message"),
      ElementsAre("alpha in web", "alpha in web", "alpha in web", "alpha in web", "alpha in web"));
}

TEST_F(R_SEARCH_6_Rest, ALinkIsEncoded) {
  EXPECT_EQ(link_to({.session_id = "a b", .turn_id = "t&x"}), "#/sessions/a%20b?at=t%26x");
  EXPECT_EQ(link_to({.index = 7, .session_id = "s"}), "#/sessions/s?at=n/7");
  EXPECT_EQ(link_to({.index = 7, .session_id = "s", .tool_call_id = "c#1"}),
            "#/sessions/s?at=c/c%231");
  EXPECT_EQ(link_to({.session_id = "s"}), "#/sessions/s");
}

}  // namespace
}  // namespace oriel
