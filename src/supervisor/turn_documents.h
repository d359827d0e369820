#pragma once
// The documents of a session's turns in the journal, of hosted and observed sessions alike.

#include "base/turn.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"

#include <string>
#include <vector>

namespace oriel {

// In their order. They may be many, so that they are parsed on a blocking thread.
asio::awaitable<std::vector<Turn>> read_turns(Journal& journal, BlockingThread& blocking,
                                              std::string session_id);

asio::awaitable<void> forget_turns(Journal& journal, std::string session_id);

}  // namespace oriel
