#pragma once
// `oriel mcp`: the MCP server over stdio, for clients that can only start commands.

#include "client/server_access.h"

namespace oriel {

struct McpStdioOptions {
  ServerAccess server;
};

// One JSON-RPC message per line on standard input and output; notices go to standard error. Returns
// 0 at the end of the input, when the reader of the output has gone, and on SIGINT and SIGTERM.
int serve_mcp_stdio(const McpStdioOptions& options);

}  // namespace oriel
