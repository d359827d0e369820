#pragma once
// The clients of a verification: publishers, watchers, sessions and MCP clients, all behind the
// proxy.

#include "runtime/task_group.h"
#include "verify/event_publisher.h"
#include "verify/feed_reader.h"
#include "verify/mcp_watcher.h"
#include "verify/session_driver.h"
#include "verify/verdicts.h"

#include <chrono>
#include <deque>
#include <list>
#include <string>
#include <vector>

namespace oriel {

struct ClientsOptions {
  ServerAccess proxied;
  std::string start = "0";           // cursor after which the watchers read
  std::string publisher_token = {};  // of the first publisher; empty: none
  std::string name;                  // unique, in names of sessions
  std::uint64_t seed = 0;
  int sessions = 3;
  bool has_long_tasks = false;  // which a lost node interrupts
};

// Lives on one shard. Await end() before destruction.
class VerifyClients {
 public:
  VerifyClients(asio::any_io_executor shard, ClientsOptions options);

  void start();

  // Ends the publishers and the work of the sessions; watchers go on.
  asio::awaitable<void> quiet();

  // Waits until every watcher has the event with this sequence.
  asio::awaitable<void> caught_up(Sequence sequence, std::chrono::milliseconds limit);

  // Polls the sessions to their ends, and waits until MCP has pushed what `journal` has of them.
  asio::awaitable<void> finish_sessions(const std::vector<JournalEvent>& journal,
                                        std::chrono::milliseconds limit);

  asio::awaitable<void> end();

  const Ledger& ledger() const { return ledger_; }

  bool has_sessions() const { return options_.sessions > 0; }

  // Up to this sequence: later events are not in the journal that was read.
  std::vector<WatchLog> watch_logs(Sequence until) const;
  std::vector<PushLog> push_logs(Sequence until) const;
  std::vector<PolledSession> polled() const;

 private:
  std::vector<std::string> session_ids() const;
  bool has_all_pushes(const std::vector<JournalEvent>& journal) const;

  ClientsOptions options_;
  Ledger ledger_;
  TaskGroup workers_;
  TaskGroup watching_;
  std::list<EventPublisher> publishers_;
  std::list<SessionDriver> sessions_;
  std::deque<WatchLog> watch_logs_;  // one for each reader
  std::list<FeedReader> readers_;
  std::list<McpWatcher> mcp_watchers_;
};

}  // namespace oriel
