#pragma once
// What the official conformance suite expects of a server under test: tools, resources and prompts
// with the names that its scenarios call.

#include "mcp/catalog.h"
#include "mcp/server.h"

#include <functional>

namespace oriel {

using Announce = std::function<void(mcp::Change)>;

void add_content_tools(mcp::Catalog& catalog);  // each kind of content, errors, odd schemas
void add_live_tools(mcp::Catalog& catalog);     // send messages to their client before the result
void add_asking_tools(mcp::Catalog& catalog);   // ask their client once
void add_multi_round_tools(mcp::Catalog& catalog);  // keep something between question and answer
void add_task_tools(mcp::Catalog& catalog);         // become tasks
void add_change_tools(mcp::Catalog& catalog, const Announce& announce);
void add_resources(mcp::Catalog& catalog);
void add_prompts(mcp::Catalog& catalog);

}  // namespace oriel
