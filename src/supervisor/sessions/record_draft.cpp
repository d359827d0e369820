#include "supervisor/sessions/record_draft.h"

#include "base/event/redact.h"
#include "journal/to_record.h"
#include "session/agent_redactor.h"
#include "supervisor/sessions/text_bytes.h"

#include <algorithm>

namespace oriel {
namespace {

// Deltas are too frequent to store the state with each of them, and do not change it.
bool is_change(EventType type) {
  return type != EventType::kDelta;
}

}  // namespace

bool RecordDraft::changes_state() const {
  const auto is_changing_step = [](const UnstoredStep& step) {
    return std::any_of(step.events.begin(), step.events.end(),
                       [](const SessionEvent& event) { return is_change(event.type()); });
  };
  return std::any_of(steps_.begin(), steps_.end(), is_changing_step) ||
         std::any_of(records_.begin(), records_.end(),
                     [](const auto& record) { return is_change(record->event_type); });
}

std::size_t RecordDraft::unserialized_bytes() const {
  std::size_t bytes = 0;
  for (const UnstoredStep& step : steps_) {
    for (const SessionEvent& event : step.events)
      bytes += text_bytes(event);
    for (const Turn& turn : step.turns)
      bytes += text_bytes(turn);
  }
  return bytes;
}

void RecordDraft::serialize() {
  for (; !steps_.empty(); steps_.pop_front()) {
    serialize(steps_.front());
    events_done_ = 0;
    turns_done_ = 0;
  }
}

void RecordDraft::serialize(UnstoredStep& step) {
  for (; events_done_ < step.events.size(); ++events_done_) {
    SessionEvent& event = step.events[events_done_];
    if (step.redactor) mask_joined(event, *step.redactor);
    records_.push_back(to_record(event));
    event = {};
  }
  for (; turns_done_ < step.turns.size(); ++turns_done_) {
    Turn& turn = step.turns[turns_done_];
    if (step.redactor) redact(turn, *step.redactor);
    documents_.push_back(
        {.key = turn_document_key(turn.session_id, turn.turn_id), .value = to_document(turn)});
    turn = {};
  }
}

}  // namespace oriel
