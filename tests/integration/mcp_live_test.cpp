// Events reach MCP clients as they happen, on their own stream.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Live : public testing::Test {
 protected:
  // Starts a session with a message, and returns its id.
  std::string start(McpClient& client, std::string_view text) {
    return string_of(client.tool("session_message", fixture_.message(text)), "session_id");
  }

  McpFixture fixture_;
  ServerProcess server_{fixture_.flags()};
};

using R_LIVE_1 = Live;
using R_LIVE_2 = Live;
using R_LIVE_3 = Live;
using R_LIVE_4 = Live;
using R_LIVE_5 = Live;
using R_LIVE_6 = Live;
using R_LIVE_7 = Live;
using R_LIVE_8 = Live;
using R_SHAPE_2_Mcp = Live;
using R_POLL_4_Mcp = Live;

Events events_in(const std::vector<Message>& messages) {
  Events events;
  for (const Message& message : messages)
    events.push_back(event_in(message));
  return events;
}

std::vector<std::string> texts_in(const Events& events) {
  std::vector<std::string> texts;
  for (const Event& event : events)
    texts.push_back(string_of(event, "text"));
  return texts;
}

std::vector<std::string> types_in(const std::vector<Message>& messages) {
  std::vector<std::string> types;
  for (const Message& message : messages)
    types.push_back(string_of(event_in(message), "type"));
  return types;
}

// Until the task is over.
void await_rest(McpClient& client, const std::string& id) {
  ASSERT_TRUE(eventually([&] {
    return string_of(client.tool("session_get", {{"session_id", id}}), "state") == "complete";
  }));
}

json::array polled(McpClient& client, const std::string& id) {
  const json::object page = client.tool("session_events", {{"session_id", id}, {"limit", 5000}});
  return page.at("events").as_array();
}

TEST_F(R_LIVE_1, EachEventOfASessionIsPushedToTheClientThatMessagedIt) {
  McpClient client(server_);
  client.set_level("debug");
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  const std::vector<Message> pushed = stream->until_completion();
  const json::array all = polled(client, id);
  ASSERT_GE(all.size(), pushed.size());
  for (std::size_t i = 0; i < pushed.size(); ++i)
    EXPECT_EQ(index_in(pushed[i]), static_cast<std::int64_t>(i));
}

TEST_F(R_SHAPE_2_Mcp, APushedEventIsThePolledOneButForItsIndex) {
  McpClient client(server_);
  client.set_level("debug");
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  const std::vector<Message> pushed = stream->until_completion();
  const json::array all = polled(client, id);
  for (const Message& message : pushed) {
    json::object expected = all.at(static_cast<std::size_t>(index_in(message))).as_object();
    expected["index"] = 0;
    EXPECT_EQ(event_in(message), expected);
    EXPECT_EQ(message.at("params").at("logger").as_string(), "oriel");
  }
}

TEST_F(R_LIVE_2, StatusTransitionsArePushed) {
  McpClient client(server_);
  client.set_level("info");
  const auto stream = client.listen();
  start(client, "list");
  std::vector<Message> pushed = stream->until_completion();
  pushed.push_back(stream->next_with("notifications/message"));
  EXPECT_THAT(texts_in(of_type(events_in(pushed), "status")), ElementsAre("running", "idle"));
}

TEST_F(R_LIVE_3, ToolUseIsPushedWithItsNameAndState) {
  McpClient client(server_);
  client.set_level("info");
  const auto stream = client.listen();
  start(client, "list");
  const Events events = events_in(stream->until_completion());
  const Events calls = of_type(events, "tool_call");
  const Events results = of_type(events, "tool_result");
  ASSERT_THAT(calls, Not(IsEmpty()));
  ASSERT_EQ(calls.size(), results.size());
  EXPECT_NE(string_of(calls[0], "tool_name"), "");
  EXPECT_EQ(string_of(calls[0], "tool_name"), string_of(results[0], "tool_name"));
  EXPECT_EQ(string_of(calls[0], "status"), "running");
  EXPECT_EQ(string_of(results[0], "status"), "ok");
}

TEST_F(R_LIVE_4, TheTextSoFarIsPushedOnlyWhenItDiffers) {
  McpClient client(server_);
  client.set_level("info");
  const auto stream = client.listen();
  start(client, "slowly list");
  std::vector<std::string> said;
  for (const Event& event : of_type(events_in(stream->until_completion()), "message")) {
    if (string_of(event, "role") == "assistant") said.push_back(string_of(event, "text"));
  }
  ASSERT_THAT(said, Not(IsEmpty()));
  EXPECT_EQ(std::adjacent_find(said.begin(), said.end()), said.end());
}

TEST_F(R_LIVE_5, OneCompletionEndsTheTaskWithTheFinalText) {
  McpClient client(server_);
  client.set_level("info");
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  const Events events = events_in(stream->until_completion());
  const Events completions = of_type(events, "completion");
  ASSERT_THAT(completions, SizeIs(1));
  EXPECT_THAT(string_of(completions[0], "text"), HasSubstr("one.txt"));
  EXPECT_EQ(string_of(completions[0], "session_id"), id);
}

TEST_F(R_LIVE_6, NothingComesBeforeALevelIsSet) {
  McpClient client(server_);
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  await_rest(client, id);
  EXPECT_TRUE(stream->pushes_nothing_for(Milliseconds(300)));
}

TEST_F(R_LIVE_6, InfoIsAllButDeltasAndErrorOnlyErrors) {
  McpClient all(server_);
  McpClient most(server_);
  McpClient few(server_);
  all.set_level("debug");
  most.set_level("info");
  few.set_level("error");
  const auto all_stream = all.listen();
  const auto most_stream = most.listen();
  const auto few_stream = few.listen();
  const std::string id = start(all, "list");
  EXPECT_THAT(types_in(all_stream->until_completion()), Contains("delta"));
  most.tool("session_watch", {{"session_id", id}});
  few.tool("session_watch", {{"session_id", id}});
  all.tool("session_message", {{"session_id", id}, {"message", "fail"}});
  const std::vector<Message> pushed = most_stream->until_completion();
  EXPECT_THAT(types_in(pushed), Not(Contains("delta")));
  EXPECT_THAT(types_in(pushed), Contains("error"));
  const Message error = few_stream->next_with("notifications/message");
  EXPECT_EQ(error.at("params").at("level").as_string(), "error");
  EXPECT_EQ(string_of(event_in(error), "type"), "error");
  EXPECT_TRUE(few_stream->pushes_nothing_for(Milliseconds(300)));
}

TEST_F(R_LIVE_7, WithoutAStreamNothingErrsAndTheEventsWaitForOne) {
  McpClient client(server_);
  client.set_level("debug");
  const std::string id = start(client, "list");
  await_rest(client, id);
  const json::array all = polled(client, id);
  const auto stream = client.listen();
  const std::vector<Message> pushed = stream->until_completion();
  for (std::size_t i = 0; i < pushed.size(); ++i)
    EXPECT_EQ(index_in(pushed[i]), static_cast<std::int64_t>(i));
  EXPECT_GE(all.size(), pushed.size());
}

TEST_F(R_LIVE_8, EveryWatcherReceivesAndUnwatchEndsIt) {
  McpClient first(server_);
  McpClient second(server_);
  first.set_level("info");
  second.set_level("info");
  const auto first_stream = first.listen();
  const auto second_stream = second.listen();
  const std::string id = start(first, "list");
  first_stream->until_completion();
  second.tool("session_watch", {{"session_id", id}});
  first.tool("session_message", {{"session_id", id}, {"message", "count"}});
  const auto seen_by_first = types_in(first_stream->until_completion());
  const auto seen_by_second = types_in(second_stream->until_completion());
  EXPECT_THAT(seen_by_first, Contains("tool_call"));
  EXPECT_THAT(seen_by_second, Contains("tool_call"));

  await_rest(first, id);
  const json::object left = second.tool("session_unwatch", {{"session_id", id}});
  EXPECT_THAT(left.at("watched").as_array(), IsEmpty());
  // The end of the task that it watched was on its way before.
  while (!second_stream->pushes_nothing_for(Milliseconds(200))) {
  }
  first.tool("session_message", {{"session_id", id}, {"message", "list"}});
  first_stream->until_completion();
  EXPECT_TRUE(second_stream->pushes_nothing_for(Milliseconds(200)));
}

// The state of a session does not change with each delta, so its last index lags behind.
TEST_F(R_LIVE_8, EveryEventAfterTheIndexThatAWatchReturnsIsPushed) {
  McpClient first(server_);
  McpClient second(server_);
  second.set_level("debug");
  const auto stream = second.listen();
  const std::string id = start(first, "babble 100000");
  ASSERT_TRUE(eventually(
      [&] {
        const json::object page =
            second.tool("session_events", {{"session_id", id}, {"since_index", 1000}});
        return !page.at("events").as_array().empty();
      },
      kMcpPatience));
  const json::object watch = second.tool("session_watch", {{"session_id", id}});
  EXPECT_EQ(SessionClient(server_, id).cancel().status, 202);
  const std::vector<Message> pushed = stream->until_completion();
  EXPECT_LE(index_in(pushed.front()), watch.at("last_index").as_int64() + 1);
  for (std::size_t i = 1; i < pushed.size(); ++i)
    ASSERT_EQ(index_in(pushed[i]), index_in(pushed[i - 1]) + 1);
}

TEST_F(R_LIVE_8, AClientWithANewMcpSessionGoesOnReceiving) {
  std::string id;
  {
    McpClient client(server_);
    client.set_level("info");
    id = start(client, "list");
    EXPECT_EQ(client.end().status, 204);
  }
  McpClient again(server_);
  again.set_level("info");
  const auto stream = again.listen();
  await_rest(again, id);
  again.tool("session_message", {{"session_id", id}, {"message", "count"}});
  const Events events = events_in(stream->until_completion());
  EXPECT_THAT(of_type(events, "completion"), SizeIs(1));
}

TEST_F(R_LIVE_8, AnEndedSessionIsNoLongerWatched) {
  McpClient client(server_);
  client.set_level("info");
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  stream->until_completion();
  client.tool("session_end", {{"session_id", id}});
  while (string_of(event_in(stream->next_with("notifications/message")), "text") !=
         "session ended") {
  }
  const json::object result = client.tool_result("session_unwatch", {{"session_id", id}});
  EXPECT_TRUE(result.at("isError").as_bool());
}

TEST_F(Live, NobodyReceivesEventsOfASessionThatItDoesNotWatch) {
  McpClient watcher(server_);
  McpClient stranger(server_);
  watcher.set_level("debug");
  stranger.set_level("debug");
  const auto stream = stranger.listen();
  const auto own = watcher.listen();
  start(watcher, "list");
  own->until_completion();
  EXPECT_TRUE(stream->pushes_nothing_for(Milliseconds(200)));
}

TEST_F(R_POLL_4_Mcp, InMixedModeNothingIsLostOrDoubled) {
  McpClient client(server_);
  client.set_level("debug");
  const auto stream = client.listen();
  const std::string id = start(client, "list");
  std::vector<std::int64_t> pushed;
  for (const Message& message : stream->until_completion())
    pushed.push_back(index_in(message));
  std::vector<std::int64_t> expected;
  for (const json::value& event : polled(client, id)) {
    if (expected.size() < pushed.size())
      expected.push_back(event.at("index").to_number<std::int64_t>());
  }
  EXPECT_EQ(pushed, expected);
}

TEST_F(Live, WithWaitTheEventsFlowOnTheCallsOwnStreamAndNowhereElse) {
  McpClient client(server_);
  client.set_level("debug");
  const auto stream = client.listen();
  const auto call =
      client.begin_tool("session_message", fixture_.message("list", {{"wait", true}}));
  const std::vector<Message> messages = call->until_answer();
  std::vector<std::int64_t> seen;
  for (const Message& message : messages) {
    if (is_push(message)) seen.push_back(index_in(message));
  }
  const json::object content = messages.back().at("result").at("structuredContent").as_object();
  EXPECT_EQ(string_of(content, "status"), "completed");
  EXPECT_THAT(string_of(content, "text"), HasSubstr("one.txt"));

  // What comes after the task comes on the standalone stream again, and nothing twice.
  const std::string id = string_of(content, "session_id");
  client.tool("session_message", {{"session_id", id}, {"message", "count"}});
  for (const Message& message : stream->until_completion())
    seen.push_back(index_in(message));
  for (std::size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(seen[i], static_cast<std::int64_t>(i));
}

TEST_F(Live, TwoCallsThatWaitForOneSessionFollowOneAfterAnother) {
  McpClient client(server_);
  client.set_level("debug");
  const std::string id = string_of(
      client.tool("session_message", fixture_.message("list", {{"wait", true}})), "session_id");
  const auto first = client.begin_tool(
      "session_message", {{"session_id", id}, {"message", "slow 300ms list"}, {"wait", true}});
  first->next_with("notifications/message");
  const auto second = client.begin_tool("session_message",
                                        {{"session_id", id}, {"message", "count"}, {"wait", true}});
  std::vector<std::int64_t> seen;
  for (const auto& call : {first.get(), second.get()}) {
    const std::vector<Message> messages = call->until_answer();
    for (const Message& message : messages) {
      if (is_push(message)) seen.push_back(index_in(message));
    }
    EXPECT_EQ(messages.back().at("result").at("structuredContent").at("status").as_string(),
              "completed");
  }
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace oriel
