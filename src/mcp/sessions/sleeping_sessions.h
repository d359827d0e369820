#pragma once
// The sessions that a restart has ended, until their clients come back. The archive has them: this
// knows which there are and when they expire, and counts them in the limits.

#include "base/time.h"
#include "mcp/server_state.h"
#include "mcp/sessions/session.h"
#include "mcp/state_saver.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

// A session as the archive has it.
struct StoredSession {
  SessionState state;
  Session::EndedCalls calls;
};

// Those of one shard; lives there. Until all are noted, which takes a while after the start, each
// session is sought in the archive.
class SleepingSessions {
 public:
  SleepingSessions(ServerState& server, StateSaver& saver);

  // Notes an entry of the archive; again: has no effect. Sessions come before their calls. Has what
  // is unreadable, expired or left over removed.
  void note_session(std::string_view id, std::string_view saved);
  void note_call(std::string_view session, std::string_view call);

  // Everything that the archive has is noted.
  void complete();

  bool is_complete() const { return is_complete_; }

  // False if there is no such session, as far as is known.
  bool may_have(std::string_view id) const;

  // None if there is no such session, or if it has expired. Ask may_have() again afterwards.
  asio::awaitable<std::optional<StoredSession>> read(std::string id) const;

  // It sleeps no longer. What it counts in the limits goes to the caller.
  void wake(const StoredSession& session);

  // Another server has it now.
  void release(const std::string& id);

  // It has ended: the archive may have it for a while.
  void forget(const std::string& id);

  // Removes those whose client has not come back.
  void expire(WallTime now);

 private:
  struct Sleeping {
    std::string credential;
    WallTime expires;
    std::set<std::string, std::less<>> calls;
  };

  void uncount(const std::string& credential);
  WallTime expiry_of(const SessionState& state, WallTime now) const;

  ServerState& server_;
  StateSaver& saver_;
  std::map<std::string, Sleeping, std::less<>> sleeping_;  // by id
  bool is_complete_;
  std::set<std::string, std::less<>> awake_;  // opened or ended before all were noted
};

}  // namespace oriel::mcp
