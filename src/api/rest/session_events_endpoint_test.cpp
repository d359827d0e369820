#include "api/rest/session_events_endpoint.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

Result<EventsQuery> parse_events(std::vector<std::pair<std::string, std::string>> query) {
  http::Request request;
  request.query = std::move(query);
  request.path_params = {{"id", "ses_1"}};
  return parse_events_query(request);
}

TEST(EventsQuery, DefaultsToAllHeldEvents) {
  const EventsQuery wanted = parse_events({}).value();
  EXPECT_EQ(wanted.query.session_id, "ses_1");
  EXPECT_EQ(wanted.query.after_index, -1);
  EXPECT_EQ(wanted.query.max_records, 500U);
  EXPECT_TRUE(wanted.query.types.empty());
  EXPECT_EQ(wanted.wait.count(), 0);
}

TEST(EventsQuery, TakesIndexLimitTypesAndWait) {
  const EventsQuery wanted = parse_events({{"since_index", "7"},
                                           {"limit", "2"},
                                           {"types", "message,error"},
                                           {"types", "status"},
                                           {"wait_ms", "60000"}})
                                 .value();
  EXPECT_EQ(wanted.query.after_index, 7);
  EXPECT_EQ(wanted.query.max_records, 2U);
  EXPECT_THAT(wanted.query.types, ElementsAre("message", "error", "status"));
  EXPECT_EQ(wanted.wait.count(), 60'000);
}

TEST(EventsQuery, NamesTheMalformedParameter) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"since_index", "-2"}, {"limit", "0"},    {"limit", "5001"},
      {"wait_ms", "60001"},  {"types", "a,,b"}, {"since", "1"}};
  for (const auto& [name, value] : cases) {
    const auto wanted = parse_events({{name, value}});
    ASSERT_FALSE(wanted) << name << "=" << value;
    EXPECT_THAT(wanted.error().message, testing::HasSubstr(name));
  }
}

class SessionEventsEndpointTest : public ApiFixture {
 protected:
  SessionEventsEndpointTest() { endpoint_.add_routes(router_); }

  SessionEventsEndpoint endpoint_{reader_};
};

TEST_F(SessionEventsEndpointTest, ReturnsAPageOfEvents) {
  const std::string path = "/api/sessions/" + create_session() + "/events";
  const json::value page = json_of(send("GET", path + "?limit=1"));
  EXPECT_EQ(page.at("events").as_array().size(), 1U);
  EXPECT_EQ(page.at("events").at(0).at("index").to_number<int>(), 0);
  EXPECT_EQ(page.at("last_index").to_number<int>(), 0);
  EXPECT_EQ(page.at("oldest_index").to_number<int>(), 0);
  EXPECT_EQ(page.at("status").as_string(), "idle");
}

TEST_F(SessionEventsEndpointTest, AnUnknownSessionIs404) {
  EXPECT_EQ(send("GET", "/api/sessions/ses_none/events").status, 404);
}

class PurgedEventsEndpointTest : public ApiFixture {
 protected:
  PurgedEventsEndpointTest() : ApiFixture({.max_events_per_session = 1}) {
    endpoint_.add_routes(router_);
  }

  SessionEventsEndpoint endpoint_{reader_};
};

TEST_F(PurgedEventsEndpointTest, PurgedEventsAre410WithTheOldestIndex) {
  const std::string id = create_session();
  wait(supervisor_.end(id, "local"));
  const http::Response response = send("GET", "/api/sessions/" + id + "/events?since_index=0");
  EXPECT_EQ(response.status, 410);
  EXPECT_EQ(code_in(response), "events_purged");
  const json::value data = json_of(response).at("error").at("data");
  EXPECT_EQ(data.at("asked_index").to_number<int>(), 1);
  EXPECT_GT(data.at("oldest_index").to_number<int>(), 1);
}

}  // namespace
}  // namespace oriel
