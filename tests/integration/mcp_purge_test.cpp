// What calls that wait for a task return when retention removes its events meanwhile.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "processes.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

// With the flags of a store that holds almost nothing.
class TinyStore : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  json::object message() const { return fixture_.message("babble 10000", {{"wait", true}}); }

  // The call ends with its result, and the events of its task were removed.
  void expect_whole(const Message& answer) {
    const json::object content = answer.at("result").at("structuredContent").as_object();
    EXPECT_EQ(string_of(content, "status"), "completed");
    EXPECT_THAT(string_of(content, "text"), HasSubstr("line 10000 of 10000"));
    McpClient client(server_);
    EXPECT_TRUE(eventually([&] {
      const json::object events = client.tool_result(
          "session_events", {{"session_id", content.at("session_id")}, {"since_index", 0}});
      return events.contains("isError");
    }));
  }

  McpFixture fixture_;
  ServerProcess server_{fixture_.flags(GetParam())};
};

TEST_P(TinyStore, ACallThatWaitsInASessionEndsWithItsResult) {
  McpClient client(server_);
  client.set_level("info");
  expect_whole(client.begin_tool("session_message", message())->until_answer().back());
}

TEST_P(TinyStore, ACallOf2026ThatWaitsEndsWithItsResult) {
  StatelessClient client(server_);
  const json::object level{{"io.modelcontextprotocol/logLevel", "info"}};
  expect_whole(client.begin_tool("session_message", message(), level)->until_answer().back());
}

INSTANTIATE_TEST_SUITE_P(
    Stores, TinyStore,
    testing::Values(std::vector<std::string>{"--store", "memory", "--events-per-session", "5"},
                    std::vector<std::string>{"--retain-bytes", "64KiB"}),
    [](const auto& tested) { return tested.index == 0 ? "Memory" : "Sqlite"; });

// The client comes back with an answer that somebody else has given meanwhile.
TEST(PurgedEnd, ACallThatFindsItsTaskEndedAndPurgedSaysSo) {
  const McpFixture fixture;
  const ServerProcess server(fixture.flags({"--store", "memory", "--events-per-session", "1"}));
  StatelessClient client(server, {{"elicitation", json::object()}});
  const json::object message =
      fixture.message("write note.txt: hello", {{"wait", true}, {"permissions", "ask"}});
  const json::object asked =
      client.begin_tool("session_message", message)->until_answer().back().at("result").as_object();
  ASSERT_EQ(string_of(asked, "resultType"), "input_required");
  McpClient other(server);
  const json::object sessions = other.tool("session_list", {{"detail", true}});
  const json::object session = sessions.at("sessions").at(0).as_object();
  const std::string id = string_of(session, "session_id");
  other.tool("permission_answer",
             {{"session_id", id},
              {"permission_id", session.at("permissions").at(0).at("permission_id")},
              {"decision", "allow"}});
  ASSERT_TRUE(eventually([&] {
    return string_of(other.tool("session_get", {{"session_id", id}}), "state") == "complete";
  }));
  json::object answers;
  answers[asked.at("inputRequests").as_object().begin()->key()] =
      json::object{{"action", "cancel"}};
  const auto again =
      client.begin_tool("session_message", message, {},
                        {{"inputResponses", answers}, {"requestState", asked.at("requestState")}});
  const json::object result = again->until_answer().back().at("result").as_object();
  EXPECT_EQ(result.at("isError"), true);
  const json::object content = result.at("structuredContent").as_object();
  EXPECT_THAT(string_of(content, "stop_reason"), HasSubstr("its events were purged"));
  EXPECT_THAT(string_of(content, "text"), HasSubstr("note.txt"));
}

}  // namespace
}  // namespace oriel
