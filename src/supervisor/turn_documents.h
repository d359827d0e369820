#pragma once
// The documents of a session's turns in the journal, of hosted and observed sessions alike.

#include "base/event/turn.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"

#include <string>
#include <vector>

namespace oriel {

// The documents to store for these turns.
std::vector<Document> to_documents(const std::vector<Turn>& turns);

// In their order. They can be many, so they are parsed on the blocking thread.
asio::awaitable<std::vector<Turn>> read_turns(Journal& journal, BlockingThread& blocking,
                                              std::string session_id);

// If the guards hold.
asio::awaitable<void> remove_turns(Journal& journal, std::string session_id,
                                   std::vector<Guard> guards = {});

}  // namespace oriel
