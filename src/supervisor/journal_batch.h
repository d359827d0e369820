#pragma once
// What one append stores.

#include "journal/journal_engine.h"

#include <vector>

namespace oriel {

// Stored together, or not at all.
struct JournalBatch {
  std::vector<SessionEvent> events;
  std::vector<Document> documents;

  bool is_empty() const { return events.empty() && documents.empty(); }
};

}  // namespace oriel
