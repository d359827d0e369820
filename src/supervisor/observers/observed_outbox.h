#pragma once
// What follows from an observed agent's steps, on its way to the journal: events and documents that
// are to be stored together.

#include "base/session_event.h"
#include "journal/journal_engine.h"
#include "observed/observed_agent.h"

#include <map>
#include <string>
#include <vector>

namespace oriel {

// Pure. Several steps become one append; of a document that changed twice the last counts.
class ObservedOutbox {
 public:
  void put(ObservedStep step, const ObservedState& state);

  bool is_empty() const { return events_.empty() && documents_.empty(); }

  struct Parcel {
    std::vector<SessionEvent> events;
    std::vector<Document> documents;
  };

  // All that is in it, with the agent's document as it is now.
  Parcel take(const ObservedState& state);

 private:
  std::vector<SessionEvent> events_;
  std::map<std::string, std::string> documents_;  // by key; an empty one is to be removed
};

}  // namespace oriel
