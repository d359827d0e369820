#pragma once
// `oriel mcp`: Oriel's MCP server for clients that can only start commands and talk to them.

#include "client/server_access.h"

namespace oriel {

struct McpStdioOptions {
  ServerAccess server;
};

// One JSON-RPC message a line on standard input and output, nothing else there; notices on standard
// error. Ends with 0 at the end of the input, when nobody reads any more, and by SIGINT and
// SIGTERM.
int serve_mcp_stdio(const McpStdioOptions& options);

}  // namespace oriel
