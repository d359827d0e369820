#pragma once
// Ends the work of a session whose process is gone.

#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "session/session.h"

#include <string>
#include <vector>

namespace oriel {

// A session as its process left it, and the step that interrupts it.
struct LostWork {
  SessionState before;
  std::vector<Turn> turns;  // as stored; empty if the session was idle
  SessionState after;
  SessionStep step;  // without events if there was no work
};

// `state` is the stored one. Reads the rest from the journal; stores nothing.
asio::awaitable<LostWork> find_lost_work(Journal& journal, BlockingThread& blocking,
                                         SessionState state, std::string reason);

}  // namespace oriel
