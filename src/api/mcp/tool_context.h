#pragma once
// What the handlers of Oriel's MCP tools and resources use.

#include "api/mcp/event_messages.h"
#include "api/session_reader.h"
#include "api/visible_sessions.h"
#include "hub/hub.h"
#include "journal/journal.h"

#include <vector>

namespace oriel {

// Outlives every call.
struct ToolContext {
  VisibleSessions& sessions;
  Journal& journal;
  Hub& hub;
  SessionReader& reader;
  std::vector<EventMessageCache> messages;  // by shard
};

}  // namespace oriel
