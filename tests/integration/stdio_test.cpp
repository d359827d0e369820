// `oriel mcp` between an MCP client that starts commands and the whole server.

#include "http_call.h"
#include "programs.h"
#include "stdio_process.h"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <csignal>
#include <memory>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})";
constexpr std::string_view kInitialized =
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string request(int id, std::string_view method, const json::object& params = {}) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

class McpStdio : public testing::Test {
 protected:
  McpStdio() { start_server(); }

  void start_server() {
    std::vector<std::string> flags;
    if (!listen_.empty()) flags = {"--listen", listen_};
    server_ = std::make_unique<ServerProcess>(flags, dir_.path() / "data");
    listen_ = server_->authority();
  }

  std::vector<std::string> words() const {
    return {oriel_program(), "mcp", "--url", "http://" + listen_};
  }

  TempDir dir_;
  std::string listen_;
  std::unique_ptr<ServerProcess> server_;
};

void begin(StdioProcess& client) {
  client.say(kInitialize);
  const json::object hello = client.receive();
  EXPECT_EQ(hello.at("result").at("protocolVersion"), "2025-11-25");
  client.say(kInitialized);
}

TEST_F(McpStdio, OffersTheServersToolsAndEndsWithItsInput) {
  StdioProcess client(words());
  begin(client);
  client.say(request(1, "tools/list"));
  const json::object tools = client.hear_answer(1);
  EXPECT_THAT(json::serialize(tools), HasSubstr("\"session_message\""));
  client.say(request(2, "tools/call", {{"name", "session_list"}, {"arguments", json::object()}}));
  EXPECT_TRUE(client.hear_answer(2).contains("result"));
  client.close_input();
  EXPECT_EQ(client.wait_exit(), 0);
}

TEST_F(McpStdio, AnswersLinesThatCameTogetherInAPipe) {
  const Finished done = run_oriel({"mcp", "--url", server_->url()},
                                  std::string(kInitialize) + "\n" + std::string(kInitialized) +
                                      "\n" + request(1, "tools/list") + "\n");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.out, HasSubstr("\"session_message\""));
  EXPECT_EQ(done.err, "");
}

class R_STREAM_4 : public McpStdio {};

TEST_F(R_STREAM_4, StdioIsOneStreamOfMessagesWithoutEventIds) {
  StdioProcess client(words());
  begin(client);
  client.say(request(1, "logging/setLevel", {{"level", "debug"}}));
  client.hear_answer(1);
  const json::object message{{"message", "help"}, {"wait", true}};
  client.say(request(2, "tools/call", {{"name", "session_message"}, {"arguments", message}}));
  std::int64_t next_index = 0;
  while (true) {
    // A line that is no JSON, such as "id: 7", would fail here.
    const json::object received = client.receive();
    ASSERT_EQ(received.at("jsonrpc"), "2.0");
    if (received.contains("result")) break;
    if (received.at("method") != "notifications/message") continue;
    const json::object& params = received.at("params").as_object();
    EXPECT_EQ(params.at("_meta").at("oriel/index"), next_index++);
  }
  EXPECT_GT(next_index, 5);
  client.close_input();
  EXPECT_EQ(client.wait_exit(), 0);
}

TEST_F(McpStdio, GoesOnWithARestartedServerUnseenByItsClient) {
  StdioProcess client(words());
  begin(client);
  client.say(request(1, "logging/setLevel", {{"level", "debug"}}));
  EXPECT_TRUE(client.hear_answer(1).contains("result"));
  server_.reset();
  client.say(request(2, "tools/list"));
  const json::object away = client.hear_answer(2);
  EXPECT_EQ(away.at("error").at("code"), -32000);
  EXPECT_THAT(json::serialize(away), HasSubstr("oriel serve"));
  start_server();
  client.say(request(3, "tools/list"));
  EXPECT_TRUE(client.hear_answer(3).contains("result"));
  client.close_input();
  EXPECT_EQ(client.wait_exit(), 0);
}

TEST_F(McpStdio, SpeaksTheStatelessEra) {
  const json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                          {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  StdioProcess client(words());
  client.say(request(1, "server/discover", {{"_meta", meta}}));
  EXPECT_TRUE(client.hear_answer(1).contains("result"));
  client.say(request(2, "tools/call",
                     {{"_meta", meta}, {"name", "session_list"}, {"arguments", json::object()}}));
  EXPECT_TRUE(client.hear_answer(2).contains("result"));
  client.say(request(3, "tools/call", {{"_meta", meta}, {"name", "gr\xC3\xBC\xC3\x9F"}}));
  EXPECT_NE(client.hear_answer(3).at("error").at("code"), -32020);  // not for its headers
  client.close_input();
  EXPECT_EQ(client.wait_exit(), 0);
}

class R_RESUME_4 : public McpStdio {};

TEST_F(R_RESUME_4, ASubscriptionOverStdioOutlivesARestartOfTheServer) {
  const json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                          {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  const json::object wanted{{"resourceSubscriptions", json::array{"oriel://projects"}}};
  StdioProcess client(words());
  client.say(request(1, "subscriptions/listen", {{"_meta", meta}, {"notifications", wanted}}));
  EXPECT_EQ(client.receive().at("method"), "notifications/subscriptions/acknowledged");
  server_.reset();
  start_server();
  const json::object gap = client.receive();
  EXPECT_EQ(gap.at("method"), "notifications/resources/updated");
  const json::object& params = gap.at("params").as_object();
  EXPECT_EQ(params.at("uri"), "oriel://projects");
  EXPECT_EQ(params.at("_meta").at("io.modelcontextprotocol/subscriptionId"), 1);
  client.close_input();
  EXPECT_EQ(client.wait_exit(), 0);
}

TEST_F(McpStdio, EndsOnSigterm) {
  StdioProcess client(words());
  begin(client);
  client.signal(SIGTERM);
  EXPECT_EQ(client.wait_exit(), 0);
}

}  // namespace
}  // namespace oriel
