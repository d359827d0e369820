#include "cluster/cluster.h"

#include "base/id.h"
#include "base/log.h"
#include "cluster/start/stoppable_wait.h"
#include "journal/entry_judge.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kConnectDeadline{2000};
constexpr std::chrono::milliseconds kStartRetry{2000};
constexpr std::chrono::milliseconds kStreamDeadline{2000};
constexpr std::chrono::milliseconds kTidyEvery{1000};
constexpr std::chrono::milliseconds kLookEvery{10'000};

NatsOptions nats_options(const ClusterOptions& options) {
  return {.servers = options.servers,
          .name = "oriel " + options.node,
          .credentials = options.credentials,
          .ca = options.ca};
}

Node node_of(const ClusterOptions& options) {
  if (!is_node_name(options.node)) {
    throw std::runtime_error("\"" + options.node +
                             "\" cannot be the name of a node; use 1 to 64 of A-Z a-z 0-9 _ -");
  }
  return {.name = options.node,
          .life = options.node + "." + random_id(),
          .url = options.node_url,
          .version = options.version,
          .labels = options.labels};
}

[[noreturn]] void throw_error(const Error& error) {
  throw std::runtime_error(describe(error));
}

fs::path beside(const fs::path& journal, const char* suffix) {
  return journal.string() + suffix;
}

}  // namespace

Cluster::Cluster(ClusterOptions options) : options_(std::move(options)) {
  Node self = node_of(options_);
  log_connection_ = std::make_unique<NatsConnection>(nats_options(options_), kConnectDeadline);
  peer_connection_ = std::make_unique<NatsConnection>(nats_options(options_), kConnectDeadline);
  peers_ = std::make_unique<NatsPeers>(
      *peer_connection_,
      NatsPeersOptions{.self = std::move(self), .node_timeout = options_.node_timeout});
}

Cluster::~Cluster() = default;

PreparedJournal Cluster::prepare(SqliteEngineOptions journal, const std::stop_token& stop) {
  journal_file_ = journal.file;
  starter_ = std::make_unique<NodeStarter>(
      *log_connection_, *peer_connection_, *peers_,
      NodeStarterOptions{.node = options_.node, .replicas = options_.replicas, .journal = journal});
  OwnJournal own;
  std::unique_ptr<JournalEngine> engine = starter_->open(&own);
  StartDecision decision;
  while (true) {
    decision = starter_->look(own, stop);
    const bool is_final = decision.refusal && decision.refusal->kind != ErrorKind::kNodeUnreachable;
    if (is_final) throw_error(*decision.refusal);
    if (decision.step != StartStep::kRefuse) {
      engine = starter_->take(decision, own, std::move(engine), stop);
      if (engine) break;
      note_waiting("no other node gives a snapshot of its journal; see the log");
      engine = starter_->open(&own);
    } else {
      note_waiting(describe(*decision.refusal));
    }
    wait_for(kStartRetry, stop);
  }
  const Applied applied = applied_in(engine->read_documents(kLogDocuments));
  is_detached_ = decision.step == StartStep::kServe;
  is_following_ = !is_detached_;
  has_founded_ = decision.step == StartStep::kFound;
  if (is_detached_) {
    waiting_for_ = describe(*decision.refusal);
    oriel::log()->warn("cluster: this node shows what it has: {}", waiting_for_);
    stream_ = {.log = applied.log, .generation = applied.generation};
  } else {
    stream_ = starter_->stream();
    target_ = stream_.last;
    look_at_servers();
    oriel::log()->info("cluster: the node {} is at place {} of the log {}, which ends at {}",
                       options_.node, applied.place, applied.log, stream_.last);
  }
  auto log = std::make_unique<NatsLog>(
      *log_connection_, NatsLogOptions{.life = peers_->life(),
                                       .applied = applied,
                                       .hold = is_detached_ ? waiting_for_ : "it is starting"});
  log_ = log.get();
  if (is_following_) log_->begin();
  return {.engine = std::move(engine), .log = std::move(log), .step = decision.step};
}

// While it starts.
void Cluster::note_waiting(const std::string& reason) {
  const MutexLock lock(mutex_);
  if (obstacle_ != reason) oriel::log()->warn("cluster: waiting: {}", reason);
  obstacle_ = reason;
}

// Of a journal that was opened without it. Blocks.
void Cluster::look_for_log() {
  OwnJournal own{.has_data = true,
                 .epoch = journal_->epoch(),
                 .head = journal_->head(),
                 .applied = journal_->applied()};
  Look look;
  try {
    look.decision = starter_->look(own, stopping_.get_token());
  } catch (const std::runtime_error&) {
    return;  // the node stops
  }
  look.stream = starter_->stream();
  const MutexLock lock(mutex_);
  look_ = std::move(look);
}

// On the first shard.
void Cluster::follow_found_log() {
  const SteadyTime now = std::chrono::steady_clock::now();
  std::optional<Look> look;
  {
    const MutexLock lock(mutex_);
    look = std::exchange(look_, std::nullopt);
  }
  if (!look) {
    if (is_looking_ || now < next_search_) return;
    is_looking_ = true;
    background_.post([this] { look_for_log(); });
    return;
  }
  is_looking_ = false;
  next_search_ = now + kStartRetry;
  if (look->decision.refusal) {
    waiting_for_ = describe(*look->decision.refusal);
  } else if (look->decision.step == StartStep::kGoOn) {
    oriel::log()->info("cluster: found the log {}, which ends at {}", look->stream.log,
                       look->stream.last);
    target_ = std::max(look->stream.last, known_place());
    is_following_ = true;
    log_->begin();
  } else {
    reason_to_restart_ =
        "the log goes on without the journal of this node; restart it, and it catches up";
  }
}

void Cluster::start(asio::any_io_executor first_shard, Journal& journal) {
  journal_ = &journal;
  target_ = std::max(target_, known_place());
  snapshots_ = std::make_unique<SnapshotServer>(
      *peer_connection_, journal,
      SnapshotServerOptions{.node = options_.node,
                            .directory = beside(journal_file_, ".snapshots")});
  peers_->start(std::move(first_shard), journal, [this] { return state(); });
}

asio::awaitable<void> Cluster::stop() {
  stopping_.request_stop();
  co_await peers_->stop();
  {
    const MutexLock lock(mutex_);
    obstacle_ = "the node is stopping";
  }
  auto end_snapshots = [this] { snapshots_.reset(); };
  co_await background_.run(std::move(end_snapshots));
}

std::optional<std::string> Cluster::why_not() const {
  const MutexLock lock(mutex_);
  return obstacle_;
}

// On the first shard, each kPeerTick.
OwnState Cluster::state() {
  for (const Heartbeat& peer : peers_->heartbeats()) {
    if (follows(peer, stream_) && is_following_) log_->heard_of(peer.node.place);
  }
  if (!is_following_ && !reason_to_restart_) follow_found_log();
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now >= next_tidy_) {
    next_tidy_ = now + kTidyEvery;
    snapshots_->tidy();
  }
  if (now >= next_look_ && is_following_) {
    next_look_ = now + kLookEvery;
    background_.post([this] { look_at_servers(); });
  }
  std::optional<std::string> obstacle = find_obstacle();
  if (!obstacle && !has_served_) {
    has_served_ = true;
    log_->release();
    oriel::log()->info("cluster: the node {} is ready", options_.node);
  }
  if (!has_served_) log_->hold(*obstacle);
  const NatsLogState log = log_->state();
  const OwnState own{
      .refilled = log.refilled,
      .is_caught_up = is_following_ && log.is_connected && journal_->applied().place >= log.known,
      .is_serving = !obstacle};
  const MutexLock lock(mutex_);
  obstacle_ = std::move(obstacle);
  return own;
}

std::optional<std::string> Cluster::find_obstacle() {
  const ChainState chain = peers_->chain();
  if (!reason_to_restart_) reason_to_restart_ = find_reason_to_restart(chain);
  if (reason_to_restart_) {
    if (!needs_restart_.exchange(true)) oriel::log()->error("cluster: {}", *reason_to_restart_);
    return reason_to_restart_;
  }
  if (!is_following_) return "this node shows what it has: " + waiting_for_;
  if (chain.verdict == ChainVerdict::kUndecided) {
    return "the journals of this node and of " + chain.differing.front() +
           " differ, and neither can be told to be wrong; stop one of them and move its journal "
           "away";
  }
  if (is_stuck()) {
    return "this node does not follow the log beyond place " + std::to_string(progressed_to_) +
           "; check its disk";
  }
  return has_served_ ? std::nullopt : find_what_is_missing(chain);
}

// The log goes on, and nothing of it has been applied for as long as a node may be silent.
bool Cluster::is_stuck() {
  const SteadyTime now = std::chrono::steady_clock::now();
  const NatsLogState log = log_->state();
  const std::uint64_t place = journal_->applied().place;
  const bool is_behind = log.is_connected && place < log.known;
  if (!is_behind || place != progressed_to_) {
    progressed_ = now;
    progressed_to_ = place;
  }
  return now - progressed_ > options_.node_timeout;
}

// Before the first client is served.
std::optional<std::string> Cluster::find_what_is_missing(const ChainState& chain) const {
  const std::uint64_t place = journal_->applied().place;
  if (place < target_) {
    return "this node has applied the log up to place " + std::to_string(place) + " of " +
           std::to_string(target_);
  }
  const std::vector<Heartbeat> others = peers_->heartbeats();
  const bool can_confirm = std::any_of(others.begin(), others.end(), [&](const Heartbeat& other) {
    return other.is_serving && follows(other, stream_);
  });
  if (can_confirm && chain.agreeing.empty())
    return "no other node has confirmed yet that this one has the same journal";
  return std::nullopt;
}

std::optional<std::string> Cluster::find_reason_to_restart(const ChainState& chain) {
  if (chain.verdict == ChainVerdict::kSelfWrong) {
    mark_outvoted(journal_file_);
    return "this node's journal differs from those of the others; restart it, and it takes a "
           "snapshot of one of them";
  }
  if (log_->state().needs_snapshot) {
    return "the log does not have the entries any more that this node needs; restart it, and it "
           "takes a snapshot of another node";
  }
  const MutexLock lock(mutex_);
  if (seen_.generation > stream_.generation)
    return "the log was founded anew; restart this node, and it follows the new one";
  return std::nullopt;
}

// Blocks.
void Cluster::look_at_servers() {
  LogStreamOptions options;
  options.log = stream_.log;
  const Result<LogStream> found = open_log_stream(*log_connection_, options, kStreamDeadline);
  const std::string version = log_connection_->server_version();
  const MutexLock lock(mutex_);
  if (found) seen_ = *found;
  if (!version.empty()) nats_version_ = version;
}

std::uint64_t Cluster::known_place() const {
  std::uint64_t known = log_->state().known;
  for (const Heartbeat& peer : peers_->heartbeats())
    known = std::max(known, follows(peer, stream_) ? peer.node.place : 0);
  return known;
}

ClusterStatus Cluster::status() const {
  const ChainState chain = peers_->chain();
  const Applied applied = journal_->applied();
  const NatsLogState log = log_->state();
  ClusterStatus status{.nodes = {},
                       .log = stream_.log,
                       .generation = stream_.generation,
                       .place = applied.place,
                       .known = std::max(known_place(), applied.place),
                       .chain = chain.verdict,
                       .is_connected = log.is_connected};
  {
    const MutexLock lock(mutex_);
    status.replicas = seen_.replicas;
    status.leader = seen_.leader;
    status.nats_version = nats_version_;
    status.warnings = stream_warnings(seen_, nats_version_);
  }
  const auto add = [&](const Heartbeat& heartbeat) {
    ClusterStatus::Member member{.node = heartbeat.node, .is_serving = heartbeat.is_serving};
    const std::uint64_t place = heartbeat.node.place;
    member.lag = status.known > place ? status.known - place : 0;
    const std::string& name = heartbeat.node.name;
    const auto has = [&](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (has(chain.agreeing)) member.has_same_chain = true;
    if (has(chain.differing)) member.has_same_chain = false;
    status.nodes.push_back(std::move(member));
  };
  Heartbeat own = peers_->own();
  own.is_serving = is_ready();
  add(own);
  status.nodes.back().is_self = true;
  status.nodes.back().has_same_chain.reset();
  for (const Heartbeat& peer : peers_->heartbeats()) {
    add(peer);
    if (!follows(peer, stream_))
      status.warnings.push_back("the node " + peer.node.name + " follows another log");
    if (peer.node.version != options_.version) {
      status.warnings.push_back("the node " + peer.node.name + " runs Oriel " + peer.node.version +
                                ", this one " + options_.version);
    }
  }
  std::sort(status.nodes.begin(), status.nodes.end(),
            [](const auto& a, const auto& b) { return a.node.name < b.node.name; });
  if (peers_->has_twin(std::chrono::steady_clock::now() - options_.node_timeout))
    status.warnings.push_back("another process runs as the node " + options_.node);
  if (log.problem) status.warnings.push_back(*log.problem);
  return status;
}

}  // namespace oriel
