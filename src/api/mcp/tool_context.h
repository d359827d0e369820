#pragma once
// What Oriel's MCP tools work with.

#include "api/mcp/payloads.h"
#include "api/session_reader.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "supervisor/supervisor.h"

#include <vector>

namespace oriel {

// Owned by the door; all of it outlives every call.
struct ToolContext {
  Supervisor& supervisor;
  Journal& journal;
  Hub& hub;
  SessionReader& reader;
  std::vector<McpPayloads> payloads;  // by shard
};

}  // namespace oriel
