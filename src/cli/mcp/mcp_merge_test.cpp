#include "cli/mcp/mcp_merge.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

McpEntry entry(McpTransport transport = McpTransport::kHttp) {
  return {.transport = transport, .url = "http://h", .program = "/bin/oriel"};
}

McpEntry with_token(const std::string& token, McpTransport transport = McpTransport::kHttp) {
  McpEntry needed = entry(transport);
  needed.has_token = true;
  needed.is_token_given = !token.empty();
  needed.token = token.empty() ? std::string(kTokenPlaceholder) : token;
  return needed;
}

const McpClient& client(std::string_view name) {
  return *find_mcp_client(name);
}

// The entry after this one was there before.
json::value merged(std::string_view name, const std::string& before, const McpEntry& entry) {
  const std::string& section = client(name).section;
  const std::string text = R"({")" + section + R"(":{"oriel":)" + before + "}}";
  const auto after = merge_mcp_json(text, client(name), entry);
  return json::parse(after.value().value_or(text)).at(section).at("oriel");
}

TEST(MergeMcpJson, AddsTheEntryAndKeepsTheRestInOrder) {
  const auto merged = merge_mcp_json(
      "{\n    \"z\": [1, {\"deep\": 1.5}],\n    \"mcpServers\": {\"other\": {}},\n    \"a\": "
      "null\n}",
      client("cursor"), entry());
  EXPECT_EQ(merged.value(),
            "{\n    \"z\": [\n        1,\n        {\n            \"deep\": 1.5\n        }\n    ],\n"
            "    \"mcpServers\": {\n        \"other\": {},\n        \"oriel\": {\n"
            "            \"url\": \"http://h/mcp\"\n        }\n    },\n    \"a\": null\n}\n");
}

TEST(MergeMcpJson, CreatesTheSectionAndTheFile) {
  const std::string wanted =
      "{\n  \"mcpServers\": {\n    \"oriel\": {\n      \"url\": \"http://h/mcp\"\n    }\n  }\n}\n";
  EXPECT_EQ(merge_mcp_json("", client("cursor"), entry()).value(), wanted);
  EXPECT_EQ(merge_mcp_json("{}\n", client("cursor"), entry()).value(), wanted);
}

TEST(MergeMcpJson, IsIdempotentForEveryClientAndTransport) {
  for (const McpClient& each : mcp_clients()) {
    if (each.section.empty()) continue;
    for (const McpTransport transport : {McpTransport::kHttp, McpTransport::kStdio}) {
      for (const McpEntry& wanted :
           {entry(transport), with_token("t", transport), with_token("", transport)}) {
        const std::string once = merge_mcp_json("{}", each, wanted).value().value();
        EXPECT_EQ(merge_mcp_json(once, each, wanted).value(), std::nullopt) << each.name;
      }
    }
  }
}

TEST(MergeMcpJson, RejectsOtherShapes) {
  for (const char* text :
       {"{", "// comment\n{}", "[]", "3", R"({"mcp": []})", R"({"mcp": {"oriel": 3}})"})
    EXPECT_FALSE(merge_mcp_json(text, client("opencode"), entry())) << text;
}

TEST(MergeMcpJson, KeepsTheKeysOfTheClientAndTheUser) {
  EXPECT_EQ(merged("opencode",
                   R"({"type":"remote","url":"http://old/mcp","enabled":false,"timeout":9,
                       "headers":{"X-Team":"a"}})",
                   with_token("t")),
            json::parse(R"({"type":"remote","url":"http://h/mcp","enabled":false,"timeout":9,
                            "headers":{"X-Team":"a","Authorization":"Bearer {env:ORIEL_TOKEN}"}})"));
}

TEST(MergeMcpJson, KeepsATokenIfNoneIsGiven) {
  const std::string before = R"({"url":"http://h/mcp","headers":{"Authorization":"Bearer mine"}})";
  for (const McpEntry& wanted : {entry(), with_token("")})
    EXPECT_EQ(merged("zed", before, wanted), json::parse(before));
  EXPECT_EQ(merged("zed", before, with_token("new")).at("headers").at("Authorization"),
            "Bearer new");
  const std::string other = R"({"url":"http://h/mcp","headers":{"Authorization":"Basic eA=="}})";
  EXPECT_EQ(merged("zed", other, with_token("")), json::parse(other));
}

TEST(MergeMcpJson, ChangesTheTransportWithItsTokenAndWithoutItsOldKeys) {
  const json::value http = json::parse(
      R"({"type":"http","url":"http://h/mcp","note":1,"headers":{"Authorization":"Bearer mine"}})");
  const json::value stdio = json::parse(
      R"({"type":"stdio","command":"/bin/oriel","args":["mcp"],"note":1,"env":{"ORIEL_TOKEN":"mine"}})");
  EXPECT_EQ(merged("droid", json::serialize(http), entry(McpTransport::kStdio)), stdio);
  EXPECT_EQ(merged("droid", json::serialize(stdio), entry()), http);
}

const std::string kTable = "[mcp_servers.oriel]\nurl = \"http://h/mcp\"\n";

TEST(MergeMcpToml, AppendsAMissingTable) {
  EXPECT_EQ(merge_mcp_toml("", entry()).value(), kTable);
  EXPECT_EQ(merge_mcp_toml("# mine\nmodel = \"x\"", entry()).value(),
            "# mine\nmodel = \"x\"\n\n" + kTable);
  EXPECT_EQ(merge_mcp_toml("[mcp_servers]\nother.url = \"o\"\n", entry()).value(),
            "[mcp_servers]\nother.url = \"o\"\n\n" + kTable);
}

TEST(MergeMcpToml, IsIdempotent) {
  EXPECT_EQ(merge_mcp_toml("a = 1\n" + kTable, entry()).value(), std::nullopt);
  for (const McpTransport transport : {McpTransport::kHttp, McpTransport::kStdio}) {
    for (const McpEntry& wanted : {entry(transport), with_token("t", transport)}) {
      const std::string once = merge_mcp_toml("", wanted).value().value();
      EXPECT_EQ(merge_mcp_toml(once, wanted).value(), std::nullopt) << once;
    }
  }
}

TEST(MergeMcpToml, ChangesOnlyItsOwnKeys) {
  EXPECT_EQ(
      merge_mcp_toml("a = 1 # mine\n\n[mcp_servers.oriel] # yours\nurl = \"http://old/mcp\"\n"
                     "startup_timeout_sec = 9\n\n[mcp_servers.other]\nurl = \"o\"\n",
                     with_token("t"))
          .value(),
      "a = 1 # mine\n\n[mcp_servers.oriel] # yours\nbearer_token_env_var = \"ORIEL_TOKEN\"\n"
      "url = \"http://h/mcp\"\nstartup_timeout_sec = 9\n\n[mcp_servers.other]\nurl = \"o\"\n");
}

TEST(MergeMcpToml, KeepsTheTokensVariableIfNoneIsGiven) {
  const std::string before = kTable + "bearer_token_env_var = \"MINE\"\n";
  EXPECT_EQ(merge_mcp_toml(before, entry()).value(), std::nullopt);
  EXPECT_EQ(merge_mcp_toml(before, with_token("")).value(), std::nullopt);
  EXPECT_THAT(merge_mcp_toml(before, with_token("t")).value().value(),
              HasSubstr("bearer_token_env_var = \"ORIEL_TOKEN\""));
}

TEST(MergeMcpToml, ChangesTheTransportAndKeepsTheRest) {
  EXPECT_EQ(merge_mcp_toml("[mcp_servers.oriel]\ncommand = \"x\"\nargs = [\n  \"mcp\",\n]\n"
                           "env_vars = [\"ORIEL_TOKEN\", \"B\"]\ntool_timeout_sec = 9\n",
                           entry())
                .value(),
            "[mcp_servers.oriel]\nurl = \"http://h/mcp\"\nbearer_token_env_var = \"ORIEL_TOKEN\"\n"
            "tool_timeout_sec = 9\n");
  EXPECT_EQ(merge_mcp_toml(kTable + "bearer_token_env_var = \"T\"\n", entry(McpTransport::kStdio))
                .value(),
            "[mcp_servers.oriel]\ncommand = \"/bin/oriel\"\nargs = [\"mcp\"]\n"
            "env_vars = [\"ORIEL_TOKEN\"]\n");
  EXPECT_EQ(merge_mcp_toml("[mcp_servers.oriel]\ncommand = \"/bin/oriel\"\nargs = [\"mcp\"]\n"
                           "env_vars = [\"B\"]\n",
                           with_token("t", McpTransport::kStdio))
                .value(),
            "[mcp_servers.oriel]\ncommand = \"/bin/oriel\"\nargs = [\"mcp\"]\n"
            "env_vars = [\"B\",\"ORIEL_TOKEN\"]\n");
}

TEST(MergeMcpToml, RejectsFilesThatItWouldBreak) {
  for (const char* text :
       {"a = ", "mcp_servers = {}\n", "mcp_servers.oriel = 3\n",
        "[mcp_servers]\noriel = { url = \"v\" }\n",
        "[mcp_servers.oriel]\ncommand = \"x\"\n[mcp_servers.oriel.env]\nA = \"b\"\n"})
    EXPECT_FALSE(merge_mcp_toml(text, entry())) << text;
}

}  // namespace
}  // namespace oriel
