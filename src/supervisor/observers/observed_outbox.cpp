#include "supervisor/observers/observed_outbox.h"

#include "journal/to_record.h"

#include <iterator>
#include <utility>

namespace oriel {

void ObservedOutbox::put(ObservedStep step, ObservedState state) {
  NewRecords records = to_records(std::move(step.events));
  state_ = std::move(state);
  std::move(records.begin(), records.end(), std::back_inserter(records_));
  for (const Turn& turn : step.turns)
    documents_[turn_document_key(turn.session_id, turn.turn_id)] = to_document(turn);
  for (const std::string& turn_id : step.withdrawn)
    documents_[turn_document_key(state_.session_id, turn_id)].clear();
  // take() fills it in.
  if (step.is_changed) documents_[observed_document_key(state_.session_id)].clear();
}

Proposal ObservedOutbox::take() {
  const auto own = documents_.find(observed_document_key(state_.session_id));
  if (own != documents_.end()) own->second = to_document(state_);
  Proposal batch{.records = std::exchange(records_, {}), .documents = {}};
  for (auto& [key, value] : std::exchange(documents_, {}))
    batch.documents.push_back({.key = key, .value = std::move(value)});
  return batch;
}

}  // namespace oriel
