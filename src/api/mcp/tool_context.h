#pragma once
// What the handlers of Oriel's MCP tools and resources use.

#include "api/mcp/event_messages.h"
#include "api/session_reader.h"
#include "api/session_search.h"
#include "api/visible_sessions.h"
#include "hub/hub.h"
#include "journal/journal.h"

#include <chrono>
#include <vector>

namespace oriel {

// How a call that waits for a task reports to its client.
struct FollowOptions {
  // A call that has reported nothing for this long says what is going on: clients give up on calls
  // that are silent for 60 s.
  std::chrono::milliseconds progress_interval{15'000};
  // A form that is declined sooner was declined by a program that asks nobody: a person needs
  // longer to read it.
  std::chrono::milliseconds min_reading_time{1'000};
};

// Outlives every call.
struct ToolContext {
  VisibleSessions& sessions;
  Journal& journal;
  Hub& hub;
  SessionReader& reader;
  SessionSearch& search;
  std::vector<EventMessageCache> messages;  // by shard
  FollowOptions follow = {};
};

}  // namespace oriel
