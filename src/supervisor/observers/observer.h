#pragma once
// Agents that users run themselves: finds the agent of each hook, and runs each agent.

#include "observed/correlation.h"
#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "supervisor/observers/observed_runner.h"
#include "supervisor/sessions/session_registry.h"
#include "transcript/transcript_roots.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace oriel {

struct ObserverOptions {
  std::vector<std::string> transcript_roots;  // absolute
  std::size_t max_observed = 200;             // agents; beyond that the oldest are evicted
  std::size_t max_imported = 1000;            // the same for agents that were only imported
  ObservedOptions agent;
};

// An agent reserved for an import.
struct ImportClaim {
  std::string agent_id;
  bool is_known = false;  // the journal has it
  OwnerGuard guard = {};  // of its appends
};

// Owned by the supervisor; lives on the first shard and is touched only there. Its agents are in
// the supervisor's registry. In a cluster it leaves the agents that other nodes observe alone.
class Observer {
 public:
  Observer(Shards& shards, Journal& journal, SessionRegistry& sessions, ObserverOptions options);

  // Restores the agents from the journal, and follows the transcripts of those that have not ended.
  asio::awaitable<void> start();

  asio::awaitable<void> stop();

  // Accepts a hook and returns its session. Its effects are stored later. Errors:
  // invalid_hook (of a hosted session), not_allowed (of a project that its sender does not see),
  // observed (by another node), too_many_hooks, in_progress, stopping.
  Result<std::string> take(IncomingHook incoming);

  // Reserves an agent for an import, until release(). Its hooks wait meanwhile, so that the import
  // releases it as soon as is_wanted(). Errors: hosted (Oriel runs it), observed (its runner, or
  // another node, reads the transcript), claimed (not released yet), stopping.
  Result<ImportClaim> claim(const std::string& native_id);
  bool is_wanted(const std::string& agent_id) const;
  void release(const std::string& agent_id);

  // The state of an agent after a step of its import, which is stored.
  void note_imported(const ObservedState& state);

  bool knows(const std::string& agent_id) const { return agents_.contains(agent_id); }

  const TranscriptRoots& roots() const { return roots_; }

 private:
  struct Observed {
    std::size_t shard = 0;
    std::shared_ptr<ObservedRunner> runner;  // null: no hook has arrived since the start
    std::string project_id = {};             // of a sender limited to projects, until it is stored
  };

  enum class Kind { kWatched, kImported };

  struct Claimed {
    std::vector<IncomingHook> waiting;
    std::size_t bytes = 0;  // of the waiting hooks
  };

  asio::awaitable<std::vector<ObservedState>> stored_agents();
  bool is_elsewhere(const std::string& session_id);
  OwnerGuard guard_of(const std::string& agent_id, bool is_new) const;
  SessionEntry& put(SessionSnapshot state);
  void check_path(HookEvent& hook);
  Result<void> check_sender(const IncomingHook& incoming);
  Result<std::string> defer(const std::string& agent_id, IncomingHook incoming);
  Result<std::string> hand_over(const std::string& agent_id, IncomingHook incoming);
  ObservedRunner& open(const std::string& agent_id, const HookEvent& hook);
  ObservedRunner& open(const ObservedState& first);
  std::size_t least_loaded_shard() const;
  void note(const SessionSnapshot& state);
  void evict_oldest();
  void evict_oldest_of(Kind kind, std::size_t max);
  asio::awaitable<void> evict(std::string agent_id, Observed observed);
  asio::awaitable<void> forget(std::string agent_id, Observed observed);

  Shards& shards_;
  Journal& journal_;
  SessionRegistry& sessions_;
  ObserverOptions options_;
  TranscriptRoots roots_;
  asio::any_io_executor shard_;
  BlockingThread files_;
  std::vector<std::unique_ptr<FileWatch>> watches_;  // by shard; only these shards have agents
  Correlation correlation_;
  std::map<std::string, Observed> agents_;
  std::map<std::string, Claimed> claimed_;
  std::set<std::string> evicting_;  // still in the journal
  bool is_stopping_ = false;
  TaskGroup tasks_;
};

}  // namespace oriel
