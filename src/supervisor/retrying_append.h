#pragma once
// An append that is repeated until the journal has taken it.

#include "journal/journal.h"

#include <functional>
#include <string>
#include <vector>

namespace oriel {

// Stored together, or not at all.
struct JournalBatch {
  std::vector<SessionEvent> events;
  std::vector<Document> documents;

  bool is_empty() const { return events.empty() && documents.empty(); }
};

// Waits while the store is full or busy. `gives_up` is asked after each failure; `owner` names the
// batch in the log.
asio::awaitable<void> append_until_stored(Journal& journal, JournalBatch batch, std::string owner,
                                          std::function<bool()> gives_up);

}  // namespace oriel
