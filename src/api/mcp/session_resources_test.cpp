#include "api/mcp/session_resources.h"

#include "api/mcp/tool_testing.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;

class SessionResourcesTest : public ToolFixture {
 protected:
  // The JSON text of a resource.
  json::value read(const std::string& uri) {
    const json::object result = read_resource(uri).value();
    const json::value& content = result.at("contents").at(0);
    EXPECT_EQ(content.at("uri"), json::value(uri));
    EXPECT_EQ(content.at("mimeType"), "application/json");
    return json::parse(content.at("text").as_string());
  }

  json::value complete(std::string_view argument, std::string_view typed) {
    return ask(catalog_.get().complete, {{"argument", {{"name", argument}, {"value", typed}}}})
        .at("completion");
  }
};

TEST_F(SessionResourcesTest, TheNewestSessionsThatHaveNotEndedAreListed) {
  const std::string oldest = create_session();
  const std::string ended = create_session();
  wait(supervisor_.end(ended, "ann"));
  const auto listed = [&] {
    std::vector<std::string> uris;
    const json::object list = ask(catalog_.get().more_resources);
    for (const json::value& resource : list.at("resources").as_array())
      uris.emplace_back(resource.at("uri").as_string());
    return uris;
  };
  EXPECT_THAT(listed(), ElementsAre(session_uri(oldest)));
  for (int i = 0; i < 10; ++i)
    create_session();
  EXPECT_THAT(listed(), AllOf(SizeIs(10), Not(Contains(session_uri(oldest)))));
}

TEST_F(SessionResourcesTest, ASessionWithoutATitleIsListedByItsAgent) {
  const std::string id = create_session();
  const json::array listed = ask(catalog_.get().more_resources).at("resources").as_array();
  EXPECT_EQ(listed.at(0).at("title"), json::value("silent " + id));
  EXPECT_EQ(listed.at(0).at("description"), "silent, idle");
}

TEST_F(SessionResourcesTest, ASessionIsReadAsItsState) {
  const std::string id = create_session();
  const json::value session = read(session_uri(id));
  EXPECT_EQ(session.at("session_id"), json::value(id));
  EXPECT_EQ(session.at("status"), "idle");
}

TEST_F(SessionResourcesTest, EventsAreReadOldestFirst) {
  const std::string id = create_session();
  const json::array events = read(session_events_uri(id)).as_array();
  ASSERT_FALSE(events.empty());
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(events[i].at("index").to_number<std::size_t>(), i);
}

TEST_F(SessionResourcesTest, AnUnknownSessionIsNoResource) {
  EXPECT_EQ(read_resource(session_uri("ses_none")).error().code, mcp::kResourceNotFound);
  EXPECT_EQ(read_resource(session_events_uri("ses_none")).error().code, mcp::kResourceNotFound);
}

TEST_F(SessionResourcesTest, IdsAndAgentsAreCompletedFromTheirBeginning) {
  const std::string id = create_session();
  EXPECT_EQ(complete("id", "ses_").at("values"), (json::array{json::value(id)}));
  EXPECT_EQ(complete("id", "none").at("total"), 0);
  EXPECT_EQ(complete("agent", "si").at("values"), (json::array{"silent"}));
  EXPECT_EQ(complete("other", "").at("total"), 0);
  EXPECT_EQ(complete("agent", "").at("hasMore"), false);
}

}  // namespace
}  // namespace oriel
