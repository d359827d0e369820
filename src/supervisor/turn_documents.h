#pragma once
// The documents of a session's turns in the journal, of hosted and observed sessions alike.

#include "journal/journal.h"
#include "turn/turn.h"

#include <string>
#include <vector>

namespace oriel {

// In their order.
asio::awaitable<std::vector<Turn>> read_turns(Journal& journal, std::string session_id);

asio::awaitable<void> forget_turns(Journal& journal, std::string session_id);

}  // namespace oriel
