#pragma once
// `oriel mcp --setup`: configures MCP clients to use Oriel.

#include "cli/mcp/mcp_clients.h"
#include "client/server_access.h"

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct McpSetupOptions {
  ServerAccess server;
  std::string client;       // empty: list all
  bool is_written = false;  // write the client's file instead of showing the entry
  McpTransport transport = McpTransport::kHttp;
  bool is_default_url = true;
  std::filesystem::path program;  // path of oriel
  Environment environment;
};

// The file's text with this entry as `section`.oriel; the rest is kept but reindented. None if
// nothing changes. An error if the text is not JSON or has another shape.
Result<std::optional<std::string>> merge_mcp_json(const std::string& text,
                                                  const std::string& section,
                                                  const boost::json::object& entry);

// The same for Codex's TOML; appends the table.
Result<std::optional<std::string>> merge_mcp_toml(const std::string& text,
                                                  const std::string& entry);

// Runs the command. The configuration goes to `out`, messages to `err`. Returns the exit code.
int mcp_setup(const McpSetupOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
