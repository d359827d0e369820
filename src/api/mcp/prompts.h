#pragma once
// MCP prompts: run a coding agent, and catch up on a session.

#include "mcp/catalog.h"

namespace oriel {

void add_prompts(mcp::Catalog& catalog);

// The server's instructions to the client's model.
std::string_view mcp_instructions();

}  // namespace oriel
