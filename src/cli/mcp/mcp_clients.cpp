#include "cli/mcp/mcp_clients.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

std::string token_of(const McpClient& client, const McpEntry& entry) {
  if (!entry.kept_token.empty()) return entry.kept_token;
  return client.token_reference.empty() ? entry.token : client.token_reference;
}

json::array arguments(const McpEntry& entry) {
  json::array words{"mcp"};
  if (!entry.is_default_url) words.insert(words.end(), {"--url", json::value(entry.url)});
  return words;
}

json::object http_entry(const McpClient& client, const McpEntry& entry) {
  json::object object;
  if (!client.http_type.empty()) object["type"] = client.http_type;
  object[client.url_key] = entry.url + "/mcp";
  if (entry.has_token)
    object["headers"] = json::object{{"Authorization", "Bearer " + token_of(client, entry)}};
  return object;
}

json::object stdio_entry(const McpClient& client, const McpEntry& entry) {
  json::object object;
  json::array words = arguments(entry);
  if (!client.stdio_type.empty()) object["type"] = client.stdio_type;
  if (client.joins_arguments) {
    words.insert(words.begin(), json::value(entry.program));
    object["command"] = std::move(words);
  } else {
    object["command"] = entry.program;
    object["args"] = std::move(words);
  }
  if (entry.has_token)
    object[client.env_key] = json::object{{"ORIEL_TOKEN", token_of(client, entry)}};
  return object;
}

}  // namespace

const std::vector<McpClient>& mcp_clients() {
  static const std::vector<McpClient> kClients = {
      {.name = "claude-code",
       .title = "Claude Code",
       .file = ".claude.json",
       .section = "mcpServers",
       .token_reference = "${ORIEL_TOKEN}",
       .http_type = "http",
       .stdio_type = "stdio"},
      {.name = "claude-desktop",
       .title = "Claude Desktop",
       .file = "Claude/claude_desktop_config.json",
       .is_config = true,
       .section = "mcpServers",
       .supports_http = false},
      {.name = "cursor",
       .title = "Cursor",
       .file = ".cursor/mcp.json",
       .section = "mcpServers",
       .token_reference = "${env:ORIEL_TOKEN}"},
      {.name = "vscode",
       .title = "VS Code",
       .file = "Code/User/mcp.json",
       .is_config = true,
       .section = "servers",
       .token_reference = "${env:ORIEL_TOKEN}",
       .http_type = "http",
       .stdio_type = "stdio"},
      {.name = "codex",
       .title = "Codex",
       .file = ".codex/config.toml",
       .home_variable = "CODEX_HOME",
       .section = "",
       .token_reference = "ORIEL_TOKEN"},
      {.name = "gemini",
       .title = "Gemini CLI",
       .file = ".gemini/settings.json",
       .section = "mcpServers",
       .token_reference = "${ORIEL_TOKEN}",
       .url_key = "httpUrl"},
      {.name = "qwen",
       .title = "Qwen Code",
       .file = ".qwen/settings.json",
       .section = "mcpServers",
       .token_reference = "${ORIEL_TOKEN}",
       .url_key = "httpUrl"},
      {.name = "copilot",
       .title = "Copilot CLI",
       .file = ".copilot/mcp-config.json",
       .home_variable = "COPILOT_HOME",
       .section = "mcpServers",
       .http_type = "http",
       .stdio_type = "local",
       .extras = {{"tools", json::array{"*"}}}},
      {.name = "opencode",
       .title = "OpenCode",
       .file = "opencode/opencode.json",
       .is_config = true,
       .section = "mcp",
       .token_reference = "{env:ORIEL_TOKEN}",
       .http_type = "remote",
       .stdio_type = "local",
       .env_key = "environment",
       .joins_arguments = true,
       .extras = {{"enabled", true}}},
      {.name = "droid",
       .title = "Factory Droid",
       .file = ".factory/mcp.json",
       .section = "mcpServers",
       .token_reference = "${ORIEL_TOKEN}",
       .http_type = "http",
       .stdio_type = "stdio"},
      {.name = "zed",
       .title = "Zed",
       .file = "zed/settings.json",
       .is_config = true,
       .section = "context_servers"},
      {.name = "windsurf",
       .title = "Windsurf",
       .file = ".codeium/windsurf/mcp_config.json",
       .section = "mcpServers",
       .token_reference = "${env:ORIEL_TOKEN}",
       .url_key = "serverUrl"},
  };
  return kClients;
}

const McpClient* find_mcp_client(std::string_view name) {
  const auto& clients = mcp_clients();
  const auto found = std::find_if(clients.begin(), clients.end(),
                                  [name](const McpClient& client) { return client.name == name; });
  return found == clients.end() ? nullptr : &*found;
}

std::filesystem::path mcp_config_file(const McpClient& client, const Environment& environment) {
  const std::filesystem::path home = value_of(environment, "HOME");
  const std::filesystem::path file = client.file;
  const std::string own = value_of(environment, client.home_variable);
  if (!own.empty()) return std::filesystem::path(own) / file.filename();
  if (!client.is_config) return home / file;
  const std::string config = value_of(environment, "XDG_CONFIG_HOME");
  return (config.empty() ? home / ".config" : std::filesystem::path(config)) / file;
}

McpTransport transport_of(const McpClient& client, const McpEntry& entry) {
  return client.supports_http ? entry.transport : McpTransport::kStdio;
}

json::object mcp_json_entry(const McpClient& client, const McpEntry& entry) {
  const bool is_http = transport_of(client, entry) == McpTransport::kHttp;
  json::object object = is_http ? http_entry(client, entry) : stdio_entry(client, entry);
  for (const auto& [key, value] : client.extras)
    object[key] = value;
  return object;
}

// JSON strings and arrays of strings are valid TOML.
std::vector<McpTomlLine> mcp_toml_lines(const McpEntry& entry) {
  std::vector<McpTomlLine> lines;
  if (entry.transport == McpTransport::kHttp) {
    lines.push_back({"url", json::serialize(entry.url + "/mcp")});
    if (entry.has_token) lines.push_back({"bearer_token_env_var", "\"ORIEL_TOKEN\""});
  } else {
    lines.push_back({"command", json::serialize(entry.program)});
    lines.push_back({"args", json::serialize(arguments(entry))});
    if (entry.has_token) lines.push_back({"env_vars", "[\"ORIEL_TOKEN\"]"});
  }
  return lines;
}

std::string mcp_toml_entry(const McpEntry& entry) {
  std::string text = "[mcp_servers.oriel]\n";
  for (const McpTomlLine& line : mcp_toml_lines(entry))
    text += line.key + " = " + line.value + "\n";
  return text;
}

}  // namespace oriel
