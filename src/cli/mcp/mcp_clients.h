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

// Stands for a token that is not known or not shown.
constexpr std::string_view kTokenPlaceholder = "PUT-YOUR-TOKEN-HERE";

struct McpClient {
  std::string name;                // "claude-code"
  std::string title;               // "Claude Code"
  std::string file;                // relative to HOME, or to the config directory if is_config
  bool is_config = false;          // $XDG_CONFIG_HOME, else ~/.config
  std::string home_variable = {};  // names the directory of the file, if it is set
  std::string section;             // key of the servers; empty for Codex's TOML file
  bool supports_http = true;
  std::string token_reference = {};  // to the variable ORIEL_TOKEN; empty: the token is written out
  std::string http_type = {};        // "type" of an entry with a URL; empty: none
  std::string stdio_type = {};       // "type" of an entry with a command
  std::string url_key = "url";
  std::string env_key = "env";
  bool joins_arguments = false;     // "command" is a list with the arguments
  boost::json::object extras = {};  // further members of a new entry
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
  std::string program;          // path of oriel
  bool has_token = false;       // one is needed
  bool is_token_given = false;  // by the caller; otherwise the token of an older entry is kept
  std::string token = {};       // for clients without references to variables
  std::string kept_token = {};  // of an older entry: literal or a reference
};

// The transport that the entry of this client gets.
McpTransport transport_of(const McpClient& client, const McpEntry& entry);

// The value of the key "oriel" in the client's section.
boost::json::object mcp_json_entry(const McpClient& client, const McpEntry& entry);

// A key of Codex's table, and its value in TOML.
struct McpTomlLine {
  std::string key;
  std::string value;
};

std::vector<McpTomlLine> mcp_toml_lines(const McpEntry& entry);

// Codex's table, with its header.
std::string mcp_toml_entry(const McpEntry& entry);

}  // namespace oriel
