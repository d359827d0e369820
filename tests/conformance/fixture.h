#pragma once
// What the official conformance suite expects of a server under test: tools, resources and prompts
// with the names that its scenarios call.

#include "mcp/catalog.h"
#include "mcp/server.h"

#include <functional>

namespace oriel {

using Announce = std::function<void(McpChange)>;

void add_content_tools(McpCatalog& catalog);      // each kind of content, errors, odd schemas
void add_live_tools(McpCatalog& catalog);         // tell their client something before they answer
void add_asking_tools(McpCatalog& catalog);       // ask their client once
void add_multi_round_tools(McpCatalog& catalog);  // keep something between question and answer
void add_task_tools(McpCatalog& catalog);         // become tasks
void add_change_tools(McpCatalog& catalog, const Announce& announce);
void add_resources(McpCatalog& catalog);
void add_prompts(McpCatalog& catalog);

}  // namespace oriel
