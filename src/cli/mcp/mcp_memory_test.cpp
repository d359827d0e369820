#include "cli/mcp/mcp_memory.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using Texts = std::vector<std::string>;

McpLine parse_line(std::string text) {
  return read_mcp_line(std::move(text)).value();
}

McpLine request(const std::string& method, const std::string& params) {
  return parse_line(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params +
                    "}");
}

McpMemory begun() {
  McpMemory memory;
  memory.learn(
      request("initialize", R"({"protocolVersion":"2025-11-25","clientInfo":{"name":"c"}})"),
      {{"protocolVersion", "2025-06-18"}}, "s1");
  return memory;
}

TEST(McpMemory, SendsSessionAndNegotiatedVersion) {
  EXPECT_FALSE(McpMemory().is_open());
  EXPECT_TRUE(McpMemory().headers().empty());
  const HttpHeaders headers = {{"Mcp-Session-Id", "s1"}, {"MCP-Protocol-Version", "2025-06-18"}};
  EXPECT_TRUE(begun().is_open());
  EXPECT_EQ(begun().headers(), headers);
}

TEST(McpMemory, RestartsWithTheClientsOwnParameters) {
  McpMemory memory = begun();
  EXPECT_EQ(memory.initialize_request(),
            R"({"jsonrpc":"2.0","id":"oriel-again-0","method":"initialize","params":)"
            R"({"protocolVersion":"2025-11-25","clientInfo":{"name":"c"}}})");
  ASSERT_TRUE(memory.restarted({{"protocolVersion", "2025-06-18"}}, "s2"));
  EXPECT_EQ(memory.session_id(), "s2");
  EXPECT_EQ(memory.messages_to_repeat(),
            Texts{R"({"jsonrpc":"2.0","method":"notifications/initialized"})"});
}

TEST(McpMemory, RepeatsLogLevelAndSubscriptions) {
  McpMemory memory = begun();
  memory.learn(request("logging/setLevel", R"({"level":"debug"})"), {}, "");
  memory.learn(request("logging/setLevel", R"({"level":"error"})"), {}, "");
  memory.learn(request("resources/subscribe", R"({"uri":"a"})"), {}, "");
  memory.learn(request("resources/subscribe", R"({"uri":"b"})"), {}, "");
  memory.learn(request("resources/unsubscribe", R"({"uri":"a"})"), {}, "");
  const Texts said = memory.messages_to_repeat();
  ASSERT_EQ(said.size(), 3U);
  EXPECT_EQ(said[1], R"({"jsonrpc":"2.0","id":"oriel-again-1","method":"logging/setLevel",)"
                     R"("params":{"level":"error"}})");
  EXPECT_EQ(said[2], R"({"jsonrpc":"2.0","id":"oriel-again-2","method":"resources/subscribe",)"
                     R"("params":{"uri":"b"}})");
}

TEST(McpMemory, RejectsAnotherVersion) {
  McpMemory memory = begun();
  const auto other = memory.restarted({{"protocolVersion", "2025-03-26"}}, "s2");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the server now uses MCP \"2025-03-26\", not 2025-06-18");
  EXPECT_EQ(memory.session_id(), "s1");
}

TEST(McpMemory, IsClearedByANewSession) {
  McpMemory memory = begun();
  memory.learn(request("logging/setLevel", R"({"level":"debug"})"), {}, "");
  memory.learn(request("initialize", "{}"), {{"protocolVersion", "2025-03-26"}}, "s9");
  EXPECT_EQ(memory.messages_to_repeat().size(), 1U);
  EXPECT_EQ(memory.session_id(), "s9");
}

}  // namespace
}  // namespace oriel
