#pragma once
// `oriel mcp --setup`: configures MCP clients to use Oriel.

#include "cli/mcp/mcp_clients.h"
#include "client/server_access.h"

#include <filesystem>
#include <functional>
#include <iosfwd>
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
  // Asks the server; see probe_mcp(). Empty: it is not asked.
  std::function<Result<HttpResponse>(const ServerAccess&)> probe = {};
};

// Runs the command. The configuration goes to `out`, messages to `err`. Returns the exit code.
int mcp_setup(const McpSetupOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
