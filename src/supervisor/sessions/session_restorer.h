#pragma once
// Finds the sessions of the journal when the server starts. A task that was running when the server
// ended is recorded as interrupted.

#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "supervisor/sessions/session_runner.h"

#include <future>
#include <optional>
#include <string_view>
#include <vector>

namespace oriel {

// Why tasks end that were running when the server ended.
constexpr std::string_view kRestart =
    "Oriel ended while the agent worked; send a message to go on from where it was";

struct RestoredSession {
  SessionSnapshot session;
  // What the journal did not store: its runner stores it before anything else.
  std::optional<Interruption> unstored = std::nullopt;
};

// Owned by the supervisor; lives on its shard.
class SessionRestorer {
 public:
  // Starts at once to read, on a thread of its own.
  SessionRestorer(Journal& journal, BlockingThread& blocking);

  // All sessions, by rising id. Call it once.
  asio::awaitable<std::vector<RestoredSession>> restore_all();

 private:
  asio::awaitable<RestoredSession> restore(SessionState state);

  Journal& journal_;
  BlockingThread& blocking_;
  std::future<std::vector<SessionSnapshot>> stored_;
};

}  // namespace oriel
