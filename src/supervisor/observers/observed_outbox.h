#pragma once
// Collects the steps of an observed agent into batches for the journal.

#include "observed/observed_state.h"
#include "observed/observed_step.h"
#include "supervisor/journal_batch.h"

#include <map>
#include <string>
#include <vector>

namespace oriel {

// Pure. Keeps only the last version of each document.
class ObservedOutbox {
 public:
  // `state` is the agent's after the step.
  void put(ObservedStep step, ObservedState state);

  bool is_empty() const { return events_.empty() && documents_.empty(); }

  // The agent's state after the last step.
  const ObservedState& state() const { return state_; }

  // Everything in the outbox, with the last state if a step has changed it.
  JournalBatch take();

 private:
  ObservedState state_;
  std::vector<SessionEvent> events_;
  std::map<std::string, std::string> documents_;  // by key; an empty value removes a document
};

}  // namespace oriel
