#pragma once
// Turns the steps of a session into masked records and documents for the journal. Pure.

#include "base/event/session_event.h"
#include "base/event/turn.h"
#include "base/text/redactor.h"
#include "journal/proposal.h"

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

namespace oriel {

// A step of a session that has not been stored yet.
struct UnstoredStep {
  std::vector<SessionEvent> events;
  std::vector<Turn> turns;
  std::shared_ptr<const Redactor> redactor;  // of what the session has joined; null: none
};

// Serializes each step once, even if its append is retried. Used by one thread at a time.
class RecordDraft {
 public:
  // Adds the steps after earlier ones and empties the list.
  void add(std::list<UnstoredStep>& steps) noexcept { steps_.splice(steps_.end(), steps); }

  bool is_empty() const { return steps_.empty() && records_.empty() && documents_.empty(); }

  // Whether any of its events, serialized or not, changes the session's state.
  bool changes_state() const;

  // Bytes of text that serialize() will process.
  std::size_t unserialized_bytes() const;

  // Turns the steps into records and documents and frees the steps. After an exception call it
  // again: nothing is lost.
  void serialize();

  // Everything serialized. The records are shared with the draft, the documents copied.
  Proposal batch() const { return {.records = records_, .documents = documents_}; }

  std::size_t records() const { return records_.size(); }

 private:
  void serialize(UnstoredStep& step);

  std::list<UnstoredStep> steps_;
  std::size_t events_done_ = 0;  // of the first step
  std::size_t turns_done_ = 0;
  NewRecords records_;
  std::vector<Document> documents_;
};

}  // namespace oriel
