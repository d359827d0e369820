#pragma once
// The MCP clients that `oriel mcp --setup` knows: their configuration files and entries. Pure.

#include "posix/environment.h"

#include <boost/json/object.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class McpTransport { kHttp, kStdio };

struct McpClient {
  std::string name;        // "claude-code"
  std::string title;       // "Claude Code"
  std::string file;        // relative to HOME, or to the config directory if is_config
  bool is_config = false;  // $XDG_CONFIG_HOME, else ~/.config
  std::string section;     // key of the servers; empty for Codex's TOML file
  bool supports_http = true;
  std::string
      token_reference;  // to the variable ORIEL_TOKEN; empty if the token must be written out
};

const std::vector<McpClient>& mcp_clients();

// Null if there is no such client.
const McpClient* find_mcp_client(std::string_view name);

std::filesystem::path mcp_config_file(const McpClient& client, const Environment& environment);

// How a client reaches Oriel.
struct McpEntry {
  McpTransport transport = McpTransport::kHttp;
  std::string url;  // the server's, without /mcp
  bool is_default_url = true;
  std::string program;  // path of oriel
  bool has_token = false;
  std::string token;  // for clients without references to variables
};

// The value of the key "oriel" in the client's section.
boost::json::object mcp_json_entry(const McpClient& client, const McpEntry& entry);

// Codex's table, with its header.
std::string mcp_toml_entry(const McpEntry& entry);

}  // namespace oriel
