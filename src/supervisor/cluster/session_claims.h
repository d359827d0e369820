#pragma once
// Takes over sessions whose process is gone: one atomic append names the new owner and ends the
// work that was under way.

#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "supervisor/sessions/session_registry.h"

#include <set>
#include <string>

namespace oriel {

struct Claim {
  std::string session_id;
  std::string owner;           // the new one: this process, or a node's owner_at_rest()
  std::string reason;          // why work that was under way ended
  std::string workspace = {};  // in which the session goes on; empty: where it is
  std::string notice = {};     // what people must know about that workspace
};

// Lives on the first shard. One claim of a session is under way at a time; the guards of its append
// decide between nodes.
class SessionClaims {
 public:
  SessionClaims(asio::any_io_executor shard, Journal& journal, BlockingThread& blocking,
                SessionRegistry& sessions);

  // Returns when the registry knows the new owner. Has no effect on a session that this process
  // owns already. Errors: unknown_session, overtaken (another node was first, or the owner is still
  // at work), and the journal's.
  asio::awaitable<Result<void>> claim(Claim claim);

 private:
  asio::awaitable<Result<void>> take(Claim claim, std::string before);
  asio::awaitable<std::string> stored(std::string key);
  asio::awaitable<void> correct_index(Claim claim, SessionState after, std::int64_t last_index);

  Journal& journal_;
  BlockingThread& blocking_;
  SessionRegistry& sessions_;
  std::set<std::string> under_way_;  // session ids
  Condition changed_;
};

}  // namespace oriel
