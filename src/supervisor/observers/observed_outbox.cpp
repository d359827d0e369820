#include "supervisor/observers/observed_outbox.h"

#include <iterator>
#include <utility>

namespace oriel {

void ObservedOutbox::put(ObservedStep step, const ObservedState& state) {
  std::move(step.events.begin(), step.events.end(), std::back_inserter(events_));
  for (const Turn& turn : step.turns)
    documents_[turn_document_key(turn.session_id, turn.turn_id)] = to_document(turn);
  for (const std::string& turn_id : step.withdrawn)
    documents_[turn_document_key(state.session_id, turn_id)].clear();
  if (step.is_changed) documents_[observed_document_key(state.session_id)].clear();
}

ObservedOutbox::Parcel ObservedOutbox::take(const ObservedState& state) {
  const std::string own = observed_document_key(state.session_id);
  if (const auto found = documents_.find(own); found != documents_.end())
    found->second = to_document(state);
  Parcel parcel{.events = std::exchange(events_, {}), .documents = {}};
  for (auto& [key, value] : std::exchange(documents_, {}))
    parcel.documents.push_back({.key = key, .value = std::move(value)});
  return parcel;
}

}  // namespace oriel
