#pragma once
// The known sessions and the limits on their number. Pure: it starts, stores and ends nothing.

#include "supervisor/organize/organization.h"
#include "supervisor/sessions/request_key.h"
#include "supervisor/sessions/session_runner.h"

#include <cstdint>
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
  std::optional<bool> is_archived = {};
  std::string label = {};
};

struct SessionEntry {
  SessionSnapshot state;  // as of the stored events: clients see no other
  Organization organization = {};
  SessionSnapshot unstored = {};          // of its runner, until its events are stored
  std::string owner = {};                 // in a cluster: the value of its owner document
  std::optional<std::size_t> shard;       // where its runner lives; none: nothing runs
  std::shared_ptr<SessionRunner> runner;  // touched on its shard only
  std::uint64_t runner_number = 0;        // of its newest runner, in this process
  bool is_being_created = false;          // its request has not been answered yet
  bool is_claimed = false;                // a message is about to start its agent

  // The state as people have organized it.
  SessionSnapshot shown() const { return organized(state, organization); }

  // It has a running agent, or will have one, also if this is not stored yet.
  bool is_active() const;

  // Drops the runner, which has stopped.
  void close();
};

// This node in a cluster. Without one both are empty.
struct OwnNode {
  std::string name;
  std::string life;  // the owner of sessions that this process runs
};

// Where a command gets the runner of a session from.
enum class RunnerSource { kExisting, kNew };

// At most one runner of a session works at a time, and none begins when Oriel stops. Errors:
// stopping, in_progress, session_ended.
Result<RunnerSource> find_runner_source(const SessionEntry& entry, bool is_stopping);

// Whether a message makes an inactive session active, so that it counts in the limits.
bool becomes_active(const SessionEntry& entry, bool is_stopping);

// Of the request that has created the session.
RequestKey request_key_of(const SessionState& state);

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
  explicit SessionRegistry(RegistryLimits limits, OwnNode own = {})
      : limits_(limits), own_(std::move(own)) {}

  std::size_t size() const { return entries_.size(); }

  const OwnNode& own_node() const { return own_; }

  bool is_in_cluster() const { return !own_.name.empty(); }

  // Whether this process may run the session. Always so without a cluster.
  bool is_own(const SessionEntry& entry) const { return entry.owner == own_.life; }

  // Whether it belongs to this node, perhaps to an earlier life of it. Others evict the rest.
  bool is_at_home(const SessionEntry& entry) const;

  // Adds an own session.
  SessionEntry& add(SessionState state);
  SessionEntry& add(SessionSnapshot state);

  // Adds or updates a session of this owner.
  SessionEntry& put(SessionSnapshot state, std::string owner);

  // Does nothing if the session is unknown.
  void organize(const std::string& session_id, Organization organization);

  // The session has another owner. It must be known.
  void set_owner(const std::string& session_id, std::string owner);
  void remove(const std::string& session_id);

  SessionEntry* find(const std::string& session_id);  // null: there is none

  // The session that this request of this owner has created; null: none, or it was evicted.
  SessionEntry* created_by(const RequestKey& request);

  // The hosted session whose agent uses this id for it; null: none.
  const SessionEntry* find_hosted(const std::string& agent_session_id) const;

  // The observed session whose agent uses this id, or has begun with it; null: none.
  const SessionEntry* find_observed(const std::string& agent_session_id) const;

  // The events of this state are stored. Does nothing if the session has been removed.
  void update(const SessionSnapshot& state);

  std::vector<SessionSnapshot> list(const SessionFilter& filter) const;  // newest first
  std::vector<std::string> ids() const;                                  // sorted
  std::vector<SessionEntry*> all();

  const RegistryLimits& limits() const { return limits_; }

  // Fails with too_many_sessions if no further agent of this project may run here.
  Result<void> check_limits(const std::string& project_id) const;

  // If more inactive sessions are kept than the limit allows, removes the least recently used.
  std::optional<SessionEntry> evict_oldest();

  // Own sessions with a running agent.
  std::size_t active() const;

  // The index of the shard with the fewest runners.
  std::size_t least_loaded_shard(std::size_t shards) const;

 private:
  RegistryLimits limits_;
  OwnNode own_;
  std::map<std::string, SessionEntry> entries_;  // by session id
  std::map<RequestKey, std::string> requests_;   // to the session that it created
};

}  // namespace oriel
