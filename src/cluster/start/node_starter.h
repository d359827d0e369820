#pragma once
// The start of a node: looks at the log and at the other nodes, and makes the node's journal one
// that may follow the log.

#include "base/moment.h"
#include "cluster/nats_connection.h"
#include "cluster/nats_peers.h"
#include "cluster/start/node_start.h"
#include "journal/sqlite/sqlite_engine.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace oriel {

struct NodeStarterOptions {
  std::string node;  // this one's name
  int replicas = 1;  // of the log, when this node makes it
  SqliteEngineOptions journal;
};

// The next start of the node whose journal is in this file takes a snapshot of another node,
// because the journal differs from those of the others.
void mark_outvoted(const std::filesystem::path& journal);
bool is_outvoted(const std::filesystem::path& journal);

// One thread at a time; all of it blocks. Throws std::runtime_error if `stop` is requested, or if
// the disk refuses.
class NodeStarter {
 public:
  // Everything must outlive it.
  NodeStarter(NatsConnection& log, NatsConnection& others, NatsPeers& peers,
              NodeStarterOptions options);

  // Opens the journal, and describes it in `own`. Null: there is none yet.
  std::unique_ptr<JournalEngine> open(OwnJournal* own) const;

  // Finds the log, and hears the other nodes when it finds them for the first time.
  StartDecision look(const OwnJournal& own, const std::stop_token& stop);

  // As the last look has found it.
  const LogStream& stream() const { return stream_; }

  // The journal after this step. Null: no snapshot could be taken, look again.
  std::unique_ptr<JournalEngine> take(const StartDecision& decision, const OwnJournal& own,
                                      std::unique_ptr<JournalEngine> engine,
                                      const std::stop_token& stop);

 private:
  Result<LogStream> find_stream(const OwnJournal& own);
  bool hears_twin(const std::stop_token& stop);
  bool take_snapshot(const std::vector<std::string>& sources, const OwnJournal& own,
                     const std::stop_token& stop);
  std::unique_ptr<JournalEngine> follow(std::unique_ptr<JournalEngine> engine);

  NatsConnection& log_;
  NatsConnection& others_;
  NatsPeers& peers_;
  NodeStarterOptions options_;
  const SteadyTime began_;
  LogStream stream_;
  bool has_heard_ = false;
};

}  // namespace oriel
