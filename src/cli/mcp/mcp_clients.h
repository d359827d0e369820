#pragma once
// The MCP clients that `oriel mcp --setup` knows: where each keeps its configuration, and what has
// to stand there for it to find Oriel. Pure.

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
  std::string file;        // below HOME, or below the directory of configuration when it says so
  bool is_config = false;  // below $XDG_CONFIG_HOME, else ~/.config
  std::string section;     // the key that holds the servers; empty: a TOML file, Codex's
  bool takes_http = true;
  std::string token_reference;  // to the variable ORIEL_TOKEN; empty: it has to be there literally
};

const std::vector<McpClient>& mcp_clients();

// None: nobody is called so.
const McpClient* find_mcp_client(std::string_view name);

std::filesystem::path mcp_config_file(const McpClient& client, const Environment& environment);

// How the client is to reach Oriel.
struct McpEntry {
  McpTransport transport = McpTransport::kHttp;
  std::string url;  // the server's, without /mcp
  bool is_default_url = true;
  std::string program;  // oriel's own path
  bool has_token = false;
  std::string token;  // for a client that takes no reference to the variable
};

// The value of the key "oriel" in the client's section.
boost::json::object mcp_json_entry(const McpClient& client, const McpEntry& entry);

// Codex's table, with its head.
std::string mcp_toml_entry(const McpEntry& entry);

}  // namespace oriel
