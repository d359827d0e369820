#pragma once
// Agents that people run themselves: finds whose each hook is, and has one runner for each agent.

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
  std::size_t max_observed = 200;             // agents; of more the oldest are forgotten
  std::size_t max_imported = 1000;            // the same of those that were only imported
  ObservedOptions agent;
};

// An agent whose past is imported.
struct ImportClaim {
  std::string agent_id;
  bool is_known = false;  // the journal has it already
};

// Owned by the supervisor; lives on the first shard and is touched only there. Its agents are in
// the supervisor's registry, marked as observed.
class Observer {
 public:
  Observer(Shards& shards, Journal& journal, SessionRegistry& sessions, ObserverOptions options);

  // Finds the agents of the journal, and reads on in the transcripts of those that have not ended.
  asio::awaitable<void> start();

  asio::awaitable<void> stop();

  // Takes a hook and returns at once the session that it is of; what follows from it is stored
  // later. Refused: invalid_hook (of a session that Oriel runs), too_many_hooks, in_progress,
  // stopping.
  Result<std::string> take(IncomingHook incoming);

  // An import has this agent for itself until release(), and is to let go as soon as it is wanted:
  // hooks of it wait meanwhile. Refused: hosted (Oriel runs it), observed (its runner reads it),
  // claimed (and not released yet), stopping.
  Result<ImportClaim> claim(const std::string& native_id);
  bool is_wanted(const std::string& agent_id) const;
  void release(const std::string& agent_id);

  // What an import has made of it so far.
  void note_imported(const ObservedState& state);

  bool knows(const std::string& agent_id) const { return agents_.contains(agent_id); }

  const TranscriptRoots& roots() const { return roots_; }

 private:
  struct Observed {
    std::size_t shard = 0;
    std::shared_ptr<ObservedRunner> runner;  // none: nothing has come of it since the start
  };

  enum class Kind { kWatched, kImported };

  struct Claimed {
    std::vector<IncomingHook> waiting;
    std::size_t bytes = 0;  // of them
  };

  void check_path(HookEvent& hook);
  Result<std::string> hold(const std::string& agent_id, IncomingHook incoming);
  Result<std::string> hand_over(const std::string& agent_id, IncomingHook incoming);
  ObservedRunner& open(const std::string& agent_id, const HookEvent& hook);
  ObservedRunner& open(const ObservedState& first);
  std::size_t quietest_shard() const;
  void note(const SessionSnapshot& state);
  void forget_oldest();
  void forget_oldest_of(Kind kind, std::size_t most);
  asio::awaitable<void> forget(std::string agent_id, Observed observed);

  Shards& shards_;
  Journal& journal_;
  SessionRegistry& sessions_;
  ObserverOptions options_;
  TranscriptRoots roots_;
  asio::any_io_executor shard_;
  BlockingThread files_;
  std::vector<std::unique_ptr<FileWatch>> watches_;  // by shard, of those that have agents
  Correlation correlation_;
  std::map<std::string, Observed> agents_;
  std::map<std::string, Claimed> claimed_;
  std::set<std::string> leaving_;  // forgotten, but still in the journal
  bool is_stopping_ = false;
  TaskGroup tasks_;
};

}  // namespace oriel
