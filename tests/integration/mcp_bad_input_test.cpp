// What an MCP client does wrong gets the status of its fault, and costs nobody else anything.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "session_client.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

json::object ping(const json::value& id = 7) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}};
}

void set_header(HttpRequest& request, std::string_view name, std::string value) {
  std::erase_if(request.headers, [&](const auto& header) { return header.first == name; });
  if (!value.empty()) request.headers.emplace_back(name, std::move(value));
}

class McpBadInput : public testing::Test {
 protected:
  HttpResponse ask_with(std::string_view header, std::string value) {
    HttpRequest request = client_.post(ping());
    set_header(request, header, std::move(value));
    return call(server_, request);
  }

  HttpResponse ask_with_body(std::string body) {
    HttpRequest request = client_.post(ping());
    request.body = std::move(body);
    return call(server_, request);
  }

  McpFixture fixture_;
  ServerProcess server_{fixture_.flags(
      {"--max-body-bytes", "64KiB", "--mcp-max-streams", "2", "--max-event-rate", "20000"})};
  McpClient client_{server_};
};

TEST_F(McpBadInput, WhatIsNoJsonOrNoMessageIs400) {
  for (const char* body : {"", "{", "\xff\xfe", "[1,", "nul"})
    EXPECT_EQ(ask_with_body(body).status, 400) << body;
  for (const char* body : {"{}", "3", "null", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
                           R"({"jsonrpc":"2.0","id":{},"method":"ping"})"})
    EXPECT_EQ(ask_with_body(body).status, 400) << body;
}

TEST_F(McpBadInput, ABatchIsOf2025_03_26Only) {
  const std::string batch = json::serialize(json::array{ping(1), ping(2)});
  EXPECT_EQ(ask_with_body(batch).status, 400);
  const McpClient old(server_, {.version = "2025-03-26"});
  HttpRequest request = old.post(ping());
  request.body = batch;
  const HttpResponse answer = call(server_, request);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body).as_array().size(), 2u);
}

TEST_F(McpBadInput, AWrongContentTypeIs415AndAWrongAcceptIs406) {
  EXPECT_EQ(ask_with("Content-Type", "text/plain").status, 415);
  EXPECT_EQ(ask_with("Accept", "application/json").status, 406);
}

TEST_F(McpBadInput, AnUnknownOrEndedSessionIs404AndAMissingOneIs400) {
  EXPECT_EQ(ask_with("Mcp-Session-Id", "nonsense").status, 404);
  EXPECT_EQ(ask_with("Mcp-Session-Id", "").status, 400);
  const McpClient ended(server_);
  EXPECT_EQ(ended.end().status, 204);
  const HttpResponse answer = call(server_, ended.post(ping()));
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, HasSubstr("there is no such MCP session"));
}

TEST_F(McpBadInput, AnUnsupportedVersionIs400WithThoseThatAreSupported) {
  const HttpResponse answer = ask_with("MCP-Protocol-Version", "1999-01-01");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("2025-11-25"));
}

TEST_F(McpBadInput, AForeignOriginOrHostIs403) {
  EXPECT_EQ(ask_with("Origin", "https://evil.example").status, 403);
  HttpRequest rebound = client_.post(ping());
  rebound.host = "evil.example";
  EXPECT_EQ(call(server_, rebound).status, 403);
}

TEST_F(McpBadInput, ABodyBeyondTheLimitIs413) {
  EXPECT_EQ(ask_with_body(std::string(65 << 10, ' ')).status, 413);
}

TEST_F(McpBadInput, AnAnswerToNothingIsTaken) {
  EXPECT_EQ(ask_with_body(R"({"jsonrpc":"2.0","id":"nobody-asked","result":{}})").status, 202);
}

TEST_F(McpBadInput, ARequestIdThatIsUnderWayIsRefusedAndTheFirstIsAnswered) {
  const auto slow = [&](std::string_view message) {
    const json::object params{{"name", "session_message"},
                              {"arguments", fixture_.message(message, {{"wait", true}})}};
    return client_.post(
        {{"jsonrpc", "2.0"}, {"id", "twice"}, {"method", "tools/call"}, {"params", params}});
  };
  client_.set_level("info");
  McpStream first(server_, slow("slowly list"));
  first.next();  // it is running
  const HttpResponse second = call(server_, slow("list"));
  EXPECT_EQ(second.status, 400);
  EXPECT_THAT(second.body, HasSubstr("already running"));
  EXPECT_EQ(string_of(first.until_answer().back(), "id"), "twice");
}

TEST_F(McpBadInput, BeyondTheLimitOfStreamsACallIs429AndTheOthersGoOn) {
  client_.set_level("info");
  std::vector<std::unique_ptr<McpStream>> streams;
  for (int i = 0; i < 2; ++i) {
    streams.push_back(
        client_.begin_tool("session_message", fixture_.message("slowly list", {{"wait", true}})));
    streams.back()->next();
  }
  EXPECT_EQ(client_.begin_tool("session_list", {})->head().status, 429);
  for (auto& stream : streams)
    EXPECT_TRUE(stream->until_answer().back().contains("result"));
  EXPECT_EQ(call(server_, client_.post(ping())).status, 200);
}

TEST_F(McpBadInput, AClientThatNeverReadsCostsTheOthersNothing) {
  McpClient deaf(server_);
  deaf.set_level("debug");
  const auto unread = deaf.listen();
  client_.set_level("debug");
  const auto stream = client_.listen();
  const std::string id =
      string_of(client_.tool("session_message", fixture_.message("babble 10000")), "session_id");
  deaf.tool("session_watch", {{"session_id", id}});
  std::int64_t next = 0;
  for (const Message& message : stream->until_completion())
    ASSERT_EQ(index_in(message), next++);
  EXPECT_GT(next, 20'000);
}

}  // namespace
}  // namespace oriel
