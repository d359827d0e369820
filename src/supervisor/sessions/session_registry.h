#pragma once
// Which sessions there are, and how many more may be. Pure: it starts, stores and ends nothing.

#include "supervisor/sessions/session_runner.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct RegistryLimits {
  std::size_t max_sessions = 100;  // with a running agent
  std::size_t max_sessions_per_project = 10;
  std::size_t max_kept_sessions = 1000;  // without one; observed ones are not counted
};

// Which sessions are wanted; an empty field means any.
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
  bool is_being_made = false;             // its request has not been answered yet
  bool is_claimed = false;                // counts as running though its agent is yet to start

  // It has a running agent, or will have one.
  bool takes_room() const;
};

// Owned by the supervisor; lives on its shard. An entry stays where it is until it is removed.
class SessionRegistry {
 public:
  explicit SessionRegistry(RegistryLimits limits) : limits_(limits) {}

  std::size_t size() const { return entries_.size(); }

  SessionEntry& add(SessionState state);
  SessionEntry& add(SessionSnapshot state);
  void remove(const std::string& session_id);

  SessionEntry* find(const std::string& session_id);  // null: there is none

  // The session that this request has made; null: none, or it is forgotten.
  SessionEntry* made_by(const std::string& request_id);

  // The session whose agent calls it so itself; null: no agent that Oriel runs does.
  const SessionEntry* find_hosted(const std::string& agent_session_id) const;

  // A session that is no longer known does not come back by it.
  void update(const SessionSnapshot& state);

  std::vector<SessionSnapshot> list(const SessionFilter& filter) const;  // newest first
  std::vector<SessionSnapshot> by_id() const;                            // rising
  std::vector<SessionEntry*> all();

  // May one more session of this project have a running agent? Error: too_many_sessions.
  Result<void> check_limits(const std::string& project_id) const;

  // Removes, of more sessions at rest than are to be kept, the one that has rested longest.
  std::optional<SessionEntry> take_oldest();

  // The one of so many shards that has the fewest runners.
  std::size_t quietest_shard(std::size_t shards) const;

 private:
  RegistryLimits limits_;
  std::map<std::string, SessionEntry> entries_;  // by session
  std::map<std::string, std::string> requests_;  // that made a session: to its id
};

}  // namespace oriel
