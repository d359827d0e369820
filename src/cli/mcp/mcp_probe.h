#pragma once
// Asks a server's MCP endpoint whether it can be reached and takes the token.

#include "client/server_access.h"

namespace oriel {

// A stateless server/discover: it opens no session.
HttpRequest mcp_probe_request(const ServerAccess& server);

// Its response. Blocks.
Result<HttpResponse> probe_mcp(const ServerAccess& server);

}  // namespace oriel
