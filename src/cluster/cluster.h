#pragma once
// This node's part in a cluster: everything that `server` needs to be one of several nodes.
//
//   Cluster cluster(options);                          // connects, hears the others
//   auto [engine, log] = cluster.prepare(sqlite, stop);  // a journal that may follow the log
//   Journal journal(std::move(engine), {}, std::move(log));
//   cluster.peers().serve(...);  cluster.peers().on_lost(...);
//   journal.start();
//   cluster.start(shards[0].executor(), journal);      // speaks to the others
//   ... clients are accepted once is_ready()
//   co_await cluster.stop();                           // before the journal stops

#include "base/mutex.h"
#include "cluster/log_stream.h"
#include "cluster/nats_log.h"
#include "cluster/nats_peers.h"
#include "cluster/snapshot.h"
#include "cluster/start/node_starter.h"
#include "journal/sqlite/sqlite_engine.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace oriel {

struct ClusterOptions {
  std::vector<std::string> servers;      // of NATS: "nats://host:4222", "tls://..."
  std::string node;                      // this one's name, stable and unique: see is_node_name()
  std::string node_url = {};             // where others reach its HTTP server
  std::string version = {};              // of Oriel
  std::vector<std::string> labels = {};  // for the placement of sessions
  int replicas = 1;                      // of the log, when this node makes it
  std::chrono::milliseconds node_timeout{10'000};
  std::filesystem::path credentials = {};  // as NatsOptions
  std::filesystem::path ca = {};
};

// What a node knows of the cluster, for people and programs.
struct ClusterStatus {
  struct Member {
    Node node;
    std::uint64_t lag = 0;  // entries that it has not applied
    bool is_self = false;
    bool is_serving = false;
    std::optional<bool> has_same_chain = {};  // as this node; none: not compared yet
  };

  std::vector<Member> nodes;  // ordered by name
  std::string log;
  std::uint64_t generation = 0;
  std::uint64_t place = 0;  // applied by this node
  std::uint64_t known = 0;  // the newest of the log
  ChainVerdict chain = ChainVerdict::kUnknown;
  int replicas = 0;
  std::string leader = {};  // of the log's stream; empty: not told
  bool is_connected = false;
  std::string nats_version = {};  // of the server that this node is connected to
  std::vector<std::string> warnings = {};
};

// A node's journal and where it comes from.
struct PreparedJournal {
  std::unique_ptr<JournalEngine> engine;
  std::unique_ptr<EventLog> log;
  StartStep step = StartStep::kGoOn;
};

class Cluster {
 public:
  // Throws std::runtime_error: an option is wrong, or a file cannot be read.
  explicit Cluster(ClusterOptions options);
  ~Cluster();  // after the journal
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Blocks: finds the log, hears the other nodes, and opens the journal, after a snapshot of
  // another node has replaced it if necessary. Waits for what time may bring, such as NATS servers;
  // why_not() says for what. But a journal that belongs to a log is returned also without it, see
  // is_detached(). Throws std::runtime_error with the reason and the remedy, also if `stop` is
  // requested.
  PreparedJournal prepare(SqliteEngineOptions journal, const std::stop_token& stop);

  // prepare() could not see the log. The journal can be read; appends fail until the log has been
  // found, continues the journal, and has been applied: then is_ready().
  bool is_detached() const { return is_detached_; }

  // This node was alone before, and its journal is the first state of the log. After prepare().
  bool has_founded() const { return has_founded_; }

  // After its handlers are set, and before the journal's first append of this node.
  Peers& peers() const { return *peers_; }

  // On the first shard, or before the shards run. `journal` was made of what prepare() returned,
  // and started.
  void start(asio::any_io_executor first_shard, Journal& journal);

  // The journal has documents of this life of a node, such as of its sessions. If that life is not
  // there, and no later one of the same node, Peers::on_lost() reports it. Safe from any thread.
  void expect(const std::string& life) { peers_->expect(life); }

  // On the first shard, before the journal stops: the others learn that this node leaves.
  asio::awaitable<void> stop();

  // Whether this node is part of the cluster: it has applied what was known when it started, and,
  // if others serve, one of them has come to the same. Stays so while NATS cannot be reached, but
  // not while the log goes on and this node cannot follow, as on a full disk. Safe from any thread,
  // as what follows.
  bool is_ready() const { return !why_not(); }

  std::optional<std::string> why_not() const;

  // Only a restart helps: this node needs the snapshot of another one. why_not() says why.
  bool needs_restart() const { return needs_restart_; }

  // Between start() and the journal's end.
  ClusterStatus status() const;

 private:
  void note_waiting(const std::string& reason);
  void look_for_log();
  void follow_found_log();
  OwnState state();
  std::optional<std::string> find_obstacle();
  std::optional<std::string> find_what_is_missing(const ChainState& chain) const;
  bool is_stuck();
  std::optional<std::string> find_reason_to_restart(const ChainState& chain);
  void look_at_servers();
  std::uint64_t known_place() const;

  // What look_for_log() has found.
  struct Look {
    StartDecision decision;
    LogStream stream;
  };

  const ClusterOptions options_;
  // Of its own, so that snapshots do not delay the log.
  std::unique_ptr<NatsConnection> log_connection_;
  std::unique_ptr<NatsConnection> peer_connection_;
  std::unique_ptr<NatsPeers> peers_;
  std::filesystem::path journal_file_;
  std::unique_ptr<NodeStarter> starter_;  // from prepare() on; then of the thread below
  LogStream stream_;                      // that the journal follows
  bool is_detached_ = false;
  std::stop_source stopping_;
  NatsLog* log_ = nullptr;      // the journal owns it
  Journal* journal_ = nullptr;  // from start() to stop()
  std::unique_ptr<SnapshotServer> snapshots_;
  bool has_founded_ = false;
  // On the first shard.
  std::uint64_t target_ = 0;   // the place that must be applied before clients are served
  bool is_following_ = false;  // the log is read
  bool is_looking_ = false;    // for the log
  std::string waiting_for_;
  SteadyTime next_tidy_;
  SteadyTime next_look_;
  SteadyTime next_search_;
  SteadyTime progressed_;  // when it had last applied something, or everything
  std::uint64_t progressed_to_ = 0;
  bool has_served_ = false;
  std::optional<std::string> reason_to_restart_;
  std::atomic<bool> needs_restart_ = false;

  mutable Mutex mutex_;  // between the first shard, those who ask and the thread below
  std::optional<std::string> obstacle_ GUARDED_BY(mutex_) = "the node is starting";
  std::optional<Look> look_ GUARDED_BY(mutex_);
  LogStream seen_ GUARDED_BY(mutex_);  // when it was looked at last
  std::string nats_version_ GUARDED_BY(mutex_);

  BlockingThread background_;
};

}  // namespace oriel
