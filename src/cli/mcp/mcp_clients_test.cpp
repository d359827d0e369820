#include "cli/mcp/mcp_clients.h"

#include "base/text/json_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

const Environment kHome = {{"HOME", "/home/me"}};

const McpEntry kHttp{.transport = McpTransport::kHttp,
                     .url = "http://127.0.0.1:7433",
                     .is_default_url = true,
                     .program = "/usr/bin/oriel",
                     .has_token = false,
                     .token = "secret"};

McpEntry with(McpTransport transport, bool has_token) {
  McpEntry entry = kHttp;
  entry.transport = transport;
  entry.has_token = has_token;
  return entry;
}

std::string json_of(std::string_view name, const McpEntry& entry) {
  return json_text(mcp_json_entry(*find_mcp_client(name), entry));
}

TEST(McpClients, AreFoundByName) {
  EXPECT_EQ(mcp_clients().size(), 12U);
  for (const McpClient& client : mcp_clients())
    EXPECT_EQ(find_mcp_client(client.name), &client);
  EXPECT_EQ(find_mcp_client("emacs"), nullptr);
}

TEST(McpClients, HaveAConfigurationFile) {
  const auto file = [](std::string_view name, const Environment& environment) {
    return mcp_config_file(*find_mcp_client(name), environment).string();
  };
  EXPECT_EQ(file("cursor", kHome), "/home/me/.cursor/mcp.json");
  EXPECT_EQ(file("zed", kHome), "/home/me/.config/zed/settings.json");
  EXPECT_EQ(file("zed", {{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}}), "/x/zed/settings.json");
  EXPECT_EQ(file("codex", kHome), "/home/me/.codex/config.toml");
  EXPECT_EQ(file("codex", {{"HOME", "/h"}, {"CODEX_HOME", "/c"}}), "/c/config.toml");
  EXPECT_EQ(file("qwen", kHome), "/home/me/.qwen/settings.json");
  EXPECT_EQ(file("copilot", kHome), "/home/me/.copilot/mcp-config.json");
  EXPECT_EQ(file("copilot", {{"HOME", "/h"}, {"COPILOT_HOME", "/c"}}), "/c/mcp-config.json");
}

TEST(McpClients, UseTheUrlIfTheyCan) {
  EXPECT_EQ(json_of("claude-code", kHttp), R"({"type":"http","url":"http://127.0.0.1:7433/mcp"})");
  EXPECT_EQ(json_of("cursor", kHttp), R"({"url":"http://127.0.0.1:7433/mcp"})");
  EXPECT_EQ(json_of("gemini", kHttp), R"({"httpUrl":"http://127.0.0.1:7433/mcp"})");
  EXPECT_EQ(json_of("qwen", kHttp), R"({"httpUrl":"http://127.0.0.1:7433/mcp"})");
  EXPECT_EQ(json_of("copilot", kHttp),
            R"({"type":"http","url":"http://127.0.0.1:7433/mcp","tools":["*"]})");
  EXPECT_EQ(json_of("windsurf", kHttp), R"({"serverUrl":"http://127.0.0.1:7433/mcp"})");
  EXPECT_EQ(json_of("opencode", kHttp),
            R"({"type":"remote","url":"http://127.0.0.1:7433/mcp","enabled":true})");
  EXPECT_EQ(mcp_toml_entry(kHttp), "[mcp_servers.oriel]\nurl = \"http://127.0.0.1:7433/mcp\"\n");
}

TEST(McpClients, StartTheCommandOtherwise) {
  EXPECT_EQ(json_of("claude-desktop", kHttp), R"({"command":"/usr/bin/oriel","args":["mcp"]})");
}

TEST(McpClients, StartTheCommandOnRequest) {
  McpEntry entry = with(McpTransport::kStdio, false);
  EXPECT_EQ(json_of("droid", entry),
            R"({"type":"stdio","command":"/usr/bin/oriel","args":["mcp"]})");
  EXPECT_EQ(json_of("opencode", entry),
            R"({"type":"local","command":["/usr/bin/oriel","mcp"],"enabled":true})");
  EXPECT_EQ(json_of("copilot", entry),
            R"({"type":"local","command":"/usr/bin/oriel","args":["mcp"],"tools":["*"]})");
  entry.is_default_url = false;
  entry.url = "https://o.example";
  EXPECT_EQ(json_of("zed", entry),
            R"({"command":"/usr/bin/oriel","args":["mcp","--url","https://o.example"]})");
  EXPECT_EQ(mcp_toml_entry(entry),
            "[mcp_servers.oriel]\ncommand = \"/usr/bin/oriel\"\n"
            "args = [\"mcp\",\"--url\",\"https://o.example\"]\n");
}

TEST(McpClients, ReadTheTokenFromTheEnvironmentIfTheyCan) {
  const McpEntry http = with(McpTransport::kHttp, true);
  EXPECT_EQ(json_of("vscode", http), R"({"type":"http","url":"http://127.0.0.1:7433/mcp",)"
                                     R"("headers":{"Authorization":"Bearer ${env:ORIEL_TOKEN}"}})");
  EXPECT_EQ(json_of("zed", http), R"({"url":"http://127.0.0.1:7433/mcp",)"
                                  R"("headers":{"Authorization":"Bearer secret"}})");
  EXPECT_NE(mcp_toml_entry(http).find("bearer_token_env_var = \"ORIEL_TOKEN\"\n"),
            std::string::npos);
  EXPECT_EQ(json_of("claude-desktop", http), R"({"command":"/usr/bin/oriel","args":["mcp"],)"
                                             R"("env":{"ORIEL_TOKEN":"secret"}})");
}

}  // namespace
}  // namespace oriel
