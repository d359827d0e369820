#include "api/mcp/session_resources.h"

#include "api/mcp/tool_testing.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

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

TEST_F(SessionResourcesTest, EverySessionIsListedWithItsEventsTurnsAndTasks) {
  const std::string id = create_session();
  const json::array listed = ask(catalog_.get().more_resources).at("resources").as_array();
  ASSERT_EQ(listed.size(), 4U);
  EXPECT_EQ(listed[0].at("uri"), json::value(session_uri(id)));
  EXPECT_EQ(listed[0].at("title"), json::value("silent " + id));  // it has no title of its own
  EXPECT_EQ(listed[1].at("uri"), json::value(session_events_uri(id)));
  EXPECT_EQ(listed[2].at("uri"), json::value(session_turns_uri(id)));
  EXPECT_EQ(listed[3].at("uri"), json::value(session_tasks_uri(id)));
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
