#pragma once
// Collects the steps of an observed agent into batches for the journal.

#include "journal/proposal.h"
#include "observed/observed_state.h"
#include "observed/observed_step.h"

#include <map>
#include <string>

namespace oriel {

// Pure. Keeps only the last version of each document.
class ObservedOutbox {
 public:
  // `state` is the agent's after the step.
  void put(ObservedStep step, ObservedState state);

  bool is_empty() const { return records_.empty() && documents_.empty(); }

  // The agent's state after the last step.
  const ObservedState& state() const { return state_; }

  // Everything in the outbox, with the last state if a step has changed it.
  Proposal take();

 private:
  ObservedState state_;
  NewRecords records_;
  std::map<std::string, std::string> documents_;  // by key; an empty value removes a document
};

}  // namespace oriel
