#pragma once
// `oriel mcp --setup`: what an MCP client's configuration has to say for it to find Oriel.

#include "cli/mcp/mcp_clients.h"
#include "client/server_access.h"

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct McpSetupOptions {
  ServerAccess server;
  std::string client;       // empty: all are listed
  bool is_written = false;  // into the client's file, instead of shown
  McpTransport transport = McpTransport::kHttp;
  bool is_default_url = true;
  std::filesystem::path program;  // of oriel itself
  Environment environment;
};

// The file's text with this entry as `section`.oriel, everything else as it was but for the spaces
// between its words; none when it says so already. An error when it is not JSON, or not of the
// shape that an entry can be put into.
Result<std::optional<std::string>> merge_mcp_json(const std::string& text,
                                                  const std::string& section,
                                                  const boost::json::object& entry);

// The same for Codex's TOML, to which the table is appended.
Result<std::optional<std::string>> merge_mcp_toml(const std::string& text,
                                                  const std::string& entry);

// The command. The configuration goes to `out`, the rest to `err`. Returns the exit code.
int mcp_setup(const McpSetupOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
