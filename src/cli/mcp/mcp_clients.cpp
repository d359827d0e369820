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
  return client.token_reference.empty() ? entry.token : client.token_reference;
}

json::array arguments(const McpEntry& entry) {
  json::array words{"mcp"};
  if (!entry.is_default_url) words.insert(words.end(), {"--url", json::value(entry.url)});
  return words;
}

json::object http_entry(const McpClient& client, const McpEntry& entry) {
  const std::string url = entry.url + "/mcp";
  json::object object;
  if (client.name == "claude-code" || client.name == "vscode" || client.name == "droid")
    object["type"] = "http";
  if (client.name == "opencode") object["type"] = "remote";
  if (client.name == "gemini") {
    object["httpUrl"] = url;
  } else if (client.name == "windsurf") {
    object["serverUrl"] = url;
  } else {
    object["url"] = url;
  }
  if (client.name == "opencode") object["enabled"] = true;
  if (entry.has_token)
    object["headers"] = json::object{{"Authorization", "Bearer " + token_of(client, entry)}};
  return object;
}

json::object stdio_entry(const McpClient& client, const McpEntry& entry) {
  json::object object;
  const bool is_opencode = client.name == "opencode";
  if (is_opencode) {
    json::array words = arguments(entry);
    words.insert(words.begin(), json::value(entry.program));
    object["type"] = "local";
    object["command"] = words;
    object["enabled"] = true;
  } else {
    if (client.name == "claude-code" || client.name == "vscode" || client.name == "droid")
      object["type"] = "stdio";
    object["command"] = entry.program;
    object["args"] = arguments(entry);
  }
  if (entry.has_token) {
    object[is_opencode ? "environment" : "env"] =
        json::object{{"ORIEL_TOKEN", token_of(client, entry)}};
  }
  return object;
}

}  // namespace

const std::vector<McpClient>& mcp_clients() {
  static const std::vector<McpClient> kClients = {
      {"claude-code", "Claude Code", ".claude.json", false, "mcpServers", true, "${ORIEL_TOKEN}"},
      {"claude-desktop", "Claude Desktop", "Claude/claude_desktop_config.json", true, "mcpServers",
       false, ""},
      {"cursor", "Cursor", ".cursor/mcp.json", false, "mcpServers", true, "${env:ORIEL_TOKEN}"},
      {"vscode", "VS Code", "Code/User/mcp.json", true, "servers", true, "${env:ORIEL_TOKEN}"},
      {"codex", "Codex", ".codex/config.toml", false, "", true, "ORIEL_TOKEN"},
      {"gemini", "Gemini CLI", ".gemini/settings.json", false, "mcpServers", true,
       "${ORIEL_TOKEN}"},
      {"opencode", "OpenCode", "opencode/opencode.json", true, "mcp", true, "{env:ORIEL_TOKEN}"},
      {"droid", "Factory Droid", ".factory/mcp.json", false, "mcpServers", true, "${ORIEL_TOKEN}"},
      {"zed", "Zed", "zed/settings.json", true, "context_servers", true, ""},
      {"windsurf", "Windsurf", ".codeium/windsurf/mcp_config.json", false, "mcpServers", true,
       "${env:ORIEL_TOKEN}"},
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
  const std::string codex_home = value_of(environment, "CODEX_HOME");
  if (client.name == "codex" && !codex_home.empty())
    return std::filesystem::path(codex_home) / "config.toml";
  if (!client.is_config) return home / client.file;
  const std::string config = value_of(environment, "XDG_CONFIG_HOME");
  return (config.empty() ? home / ".config" : std::filesystem::path(config)) / client.file;
}

json::object mcp_json_entry(const McpClient& client, const McpEntry& entry) {
  const bool is_http = client.supports_http && entry.transport == McpTransport::kHttp;
  return is_http ? http_entry(client, entry) : stdio_entry(client, entry);
}

// JSON strings and arrays of strings are valid TOML.
std::string mcp_toml_entry(const McpEntry& entry) {
  std::string text = "[mcp_servers.oriel]\n";
  if (entry.transport == McpTransport::kHttp) {
    text += "url = " + json::serialize(entry.url + "/mcp") + "\n";
    if (entry.has_token) text += "bearer_token_env_var = \"ORIEL_TOKEN\"\n";
  } else {
    text += "command = " + json::serialize(entry.program) + "\n";
    text += "args = " + json::serialize(arguments(entry)) + "\n";
    if (entry.has_token) text += "env_vars = [\"ORIEL_TOKEN\"]\n";
  }
  return text;
}

}  // namespace oriel
