#pragma once
// The result of one call of an ObservedAgent, complete or in progress. Values.

#include "base/event/session_event.h"
#include "base/event/turn.h"
#include "base/moment.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

// Stored in one append, the events in this order.
struct ObservedStep {
  std::vector<SessionEvent> events;
  std::vector<Turn> turns;             // new or changed, in their current form; each once
  std::vector<std::string> withdrawn;  // ids of turns to remove
  bool is_changed = false;             // the agent's state must be stored too

  bool is_empty() const { return events.empty() && turns.empty() && withdrawn.empty(); }
};

// The time of a call and the events that it has caused so far.
struct StepDraft {
  explicit StepDraft(Moment moment) : now(moment), at(moment.wall) {}

  Moment now;                          // when the call was made
  WallTime at;                         // time of new turns and events: `now`, or that of an entry
  std::optional<WallTime> entry_time;  // of the current transcript entry, if it is plausible
  bool is_import = false;              // reads the past: creates turns without events
  std::vector<SessionEvent> events;

  void publish(SessionEvent event) {
    if (!is_import) events.push_back(std::move(event));
  }
};

}  // namespace oriel
