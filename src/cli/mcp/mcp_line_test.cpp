#include "cli/mcp/mcp_line.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

McpLine read(std::string text) {
  return read_mcp_line(std::move(text)).value();
}

std::string stateless(std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" +
         std::string(params) + "}}";
}

TEST(McpLine, HasAKind) {
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})").kind,
            McpLineKind::kInitialize);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").kind,
            McpLineKind::kInitialized);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})").kind, McpLineKind::kRequest);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","method":"notifications/progress"})").kind,
            McpLineKind::kNotice);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"a","result":{}})").kind, McpLineKind::kNotice);
  const McpLine cancel =
      read(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}})");
  EXPECT_EQ(cancel.kind, McpLineKind::kCancel);
  EXPECT_EQ(cancel.cancelled, json::value("a"));
}

TEST(McpLine, KeepsItsText) {
  const std::string text = R"( {"jsonrpc" : "2.0","id":1.50,"method":"tools/list"} )";
  EXPECT_EQ(read(text).text, text);
}

TEST(McpLine, KnowsTheRequestIdsOfABatch) {
  const McpLine line =
      read(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},)"
           R"({"jsonrpc":"2.0","id":"x","method":"c"}])");
  EXPECT_EQ(line.kind, McpLineKind::kRequest);
  EXPECT_EQ(line.ids, (std::vector<json::value>{1, "x"}));
  EXPECT_EQ(read(R"([{"jsonrpc":"2.0","method":"b"}])").kind, McpLineKind::kNotice);
}

TEST(McpLine, ThatIsInvalidIsAFaultWithItsId) {
  EXPECT_EQ(read_mcp_line("nonsense").error().error.code, mcp::kParseError);
  EXPECT_EQ(read_mcp_line(R"({"id":7,"method":"a"})").error().id, json::value(7));
}

TEST(McpLine, ThatIsStatelessNamesItsVersion) {
  EXPECT_EQ(read(stateless("tools/list", "")).version, "2026-07-28");
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})").version, "");
}

TEST(StatelessHeaders, RepeatVersionMethodAndName) {
  const HttpHeaders call = {{"MCP-Protocol-Version", "2026-07-28"},
                            {"Mcp-Method", "tools/call"},
                            {"Mcp-Name", "session_list"}};
  EXPECT_EQ(stateless_headers(read(stateless("tools/call", R"(,"name":"session_list")"))), call);
  const HttpHeaders list = {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}};
  EXPECT_EQ(stateless_headers(read(stateless("tools/list", ""))), list);
}

TEST(StatelessHeaders, EscapeNames) {
  const auto named = stateless_headers(read(stateless("prompts/get", ",\"name\":\"gr\xC3\xBC\"")));
  EXPECT_EQ(named.back().second, "=?base64?Z3LDvA==?=");
  const auto injected = stateless_headers(read(stateless("a\\r\\nX: y", "")));
  EXPECT_EQ(injected.size(), 1U);
}

TEST(McpLine, ThatListensIsRecognized) {
  EXPECT_TRUE(is_listening(read(stateless("subscriptions/listen", ""))));
  EXPECT_FALSE(is_listening(read(stateless("tools/call", ""))));
}

}  // namespace
}  // namespace oriel
