#pragma once
// Prompts that people choose in their client: how to run an agent well, and what has happened in a
// session.

#include "mcp/catalog.h"

namespace oriel {

void add_prompts(mcp::Catalog& catalog);

// What every client's model is told of the server.
std::string_view mcp_instructions();

}  // namespace oriel
