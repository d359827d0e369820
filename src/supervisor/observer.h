#pragma once
// Agents that people run themselves: finds whose each hook is, and has one runner for each agent.

#include "runtime/blocking_thread.h"
#include "runtime/shards.h"
#include "supervisor/observed_runner.h"
#include "supervisor/session_registry.h"
#include "turn/correlation.h"
#include "turn/transcript_roots.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace oriel {

struct ObserverOptions {
  std::vector<std::string> transcript_roots;  // absolute
  std::size_t max_observed = 200;             // agents; of more the oldest are forgotten
  ObservedOptions agent;
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

 private:
  struct Observed {
    std::size_t shard = 0;
    std::shared_ptr<ObservedRunner> runner;  // none: nothing has come of it since the start
  };

  void check_path(HookEvent& hook);
  ObservedRunner& open(const std::string& agent_id, const HookEvent& hook);
  ObservedRunner& open(const ObservedState& first);
  std::size_t quietest_shard() const;
  void note(const SessionSnapshot& state);
  void forget_oldest();
  asio::awaitable<void> forget(std::string agent_id, Observed observed);

  Shards& shards_;
  Journal& journal_;
  SessionRegistry& sessions_;
  ObserverOptions options_;
  TranscriptRoots roots_;
  asio::any_io_executor home_;
  BlockingThread files_;
  std::vector<std::unique_ptr<FileWatch>> watches_;  // by shard, of those that have agents
  Correlation correlation_;
  std::map<std::string, Observed> agents_;
  std::set<std::string> leaving_;  // forgotten, but still in the journal
  bool is_stopping_ = false;
  TaskGroup tasks_;
};

}  // namespace oriel
