// Limits of MCP client sessions, each set by its option.

#include "mcp_client.h"
#include "mcp_fixture.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

// A request as a client of sessions sends it, for its HTTP status.
HttpResponse ask(const ServerProcess& server, const McpClient& client, std::string_view method,
                 json::object params) {
  return call(server, client.post({{"jsonrpc", "2.0"},
                                   {"id", "asked"},
                                   {"method", method},
                                   {"params", std::move(params)}}));
}

std::string message_of(const HttpResponse& response) {
  return std::string(response.json().at("error").at("message").as_string());
}

TEST(R_AUTH_7_Mcp, MaxSessionsRejectsTheNextUntilOneEnds) {
  ServerProcess server({"--mcp-max-sessions", "1"});
  McpClient client(server);
  const HttpRequest initialize{.method = "POST",
                               .target = "/mcp",
                               .headers = {{"Content-Type", "application/json"},
                                           {"Accept", "application/json, text/event-stream"}},
                               .body = R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                                       R"("params":{"protocolVersion":"2025-11-25"}})"};
  const HttpResponse refused = call(server, initialize);
  EXPECT_EQ(refused.status, 503);
  EXPECT_GE(std::stoi(refused.header("retry-after")), 1);
  EXPECT_THAT(message_of(refused), HasSubstr("too many sessions"));
  EXPECT_EQ(client.end().status, 204);
  EXPECT_EQ(call(server, initialize).status, 200);
}

TEST(R_AUTH_7_Mcp, MaxSubscriptionsRejectsTheNextUntilOneIsGivenUp) {
  ServerProcess server({"--mcp-max-subscriptions", "1"});
  McpClient client(server);
  const json::object first{{"uri", "oriel://projects"}};
  const json::object second{{"uri", "oriel://sessions"}};
  client.request("resources/subscribe", first);
  const HttpResponse refused = ask(server, client, "resources/subscribe", second);
  EXPECT_THAT(message_of(refused), HasSubstr("limit of 1 subscriptions per session reached"));
  client.request("resources/subscribe", first);  // is there already
  client.request("resources/unsubscribe", first);
  client.request("resources/subscribe", second);
}

TEST(R_AUTH_7_Mcp, MaxCallsPerSessionRejectsTheNextWhileOneRuns) {
  const McpFixture fixture;
  ServerProcess server(fixture.flags({"--mcp-max-calls-per-session", "1"}));
  McpClient client(server);
  const auto running =
      client.begin_tool("session_message", fixture.message("slow 60s", {{"wait", true}}));
  EXPECT_EQ(running->head().status, 200);
  const json::object list{{"name", "session_list"}, {"arguments", json::object()}};
  const HttpResponse refused = ask(server, client, "tools/call", list);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.json().at("id"), "asked");
  EXPECT_THAT(message_of(refused), HasSubstr("--mcp-max-calls-per-session"));
  McpClient other(server);
  const json::object sessions = other.tool("session_list", {});
  EXPECT_EQ(sessions.at("count"), 1) << "of another session";
}

}  // namespace
}  // namespace oriel
