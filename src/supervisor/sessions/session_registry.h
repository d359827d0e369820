#pragma once
// The known sessions and the limits on their number. Pure: it starts, stores and ends nothing.

#include "supervisor/sessions/session_runner.h"

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct RegistryLimits {
  std::size_t max_sessions = 100;  // with a running agent
  std::size_t max_sessions_per_project = 10;
  std::size_t max_kept_sessions = 1000;  // without one; observed ones do not count
};

// Selects sessions; an empty field means any.
struct SessionFilter {
  std::string project_id;
  std::string agent;
  std::string workspace;
  std::optional<SessionStatus> status;
};

struct SessionEntry {
  SessionSnapshot state;
  std::optional<std::size_t> shard;       // where its runner lives; none: nothing runs
  std::shared_ptr<SessionRunner> runner;  // touched on its shard only
  bool is_being_created = false;          // its request has not been answered yet
  bool is_claimed = false;                // a message is about to start its agent

  // It has a running agent, or will have one.
  bool is_active() const;

  // Drops the runner, which has stopped.
  void close();
};

// Identifies a request that creates a session. Clients choose request ids, so that only one's own
// in the same project count.
struct RequestKey {
  std::string owner;
  std::string project_id;
  std::string request_id;

  auto operator<=>(const RequestKey&) const = default;
};

class SessionRegistry;

// Sets a flag of an entry until the end of its scope, also after an exception.
class EntryFlag {
 public:
  EntryFlag(SessionRegistry& sessions, std::string session_id, bool SessionEntry::*flag);
  ~EntryFlag();
  EntryFlag(const EntryFlag&) = delete;
  EntryFlag& operator=(const EntryFlag&) = delete;

 private:
  SessionRegistry& sessions_;
  std::string session_id_;
  bool SessionEntry::*flag_;
};

// Owned by the supervisor; lives on its shard. Pointers to an entry are valid until it is removed.
class SessionRegistry {
 public:
  explicit SessionRegistry(RegistryLimits limits) : limits_(limits) {}

  std::size_t size() const { return entries_.size(); }

  SessionEntry& add(SessionState state);
  SessionEntry& add(SessionSnapshot state);
  void remove(const std::string& session_id);

  SessionEntry* find(const std::string& session_id);  // null: there is none

  // The session that this request of this owner has created; null: none, or it was evicted.
  SessionEntry* created_by(const RequestKey& request);

  // The hosted session whose agent uses this id for it; null: none.
  const SessionEntry* find_hosted(const std::string& agent_session_id) const;

  // Does nothing if the session has been removed.
  void update(const SessionSnapshot& state);

  std::vector<SessionSnapshot> list(const SessionFilter& filter) const;  // newest first
  std::vector<std::string> ids() const;                                  // sorted
  std::vector<SessionEntry*> all();

  // Fails with too_many_sessions if no further agent of this project may run.
  Result<void> check_limits(const std::string& project_id) const;

  // If more inactive sessions are kept than the limit allows, removes the least recently used.
  std::optional<SessionEntry> evict_oldest();

  // The index of the shard with the fewest runners.
  std::size_t least_loaded_shard(std::size_t shards) const;

 private:
  RegistryLimits limits_;
  std::map<std::string, SessionEntry> entries_;  // by session id
  std::map<RequestKey, std::string> requests_;   // to the session that it created
};

}  // namespace oriel
