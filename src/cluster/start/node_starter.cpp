#include "cluster/start/node_starter.h"

#include "base/id.h"
#include "base/log.h"
#include "cluster/snapshot.h"
#include "cluster/snapshot_file.h"
#include "cluster/start/stoppable_wait.h"
#include "journal/entry_judge.h"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kStartConnectDeadline{2000};
constexpr std::chrono::milliseconds kLeaderDeadline{5000};  // the servers may elect one
constexpr std::chrono::milliseconds kDisconnectedDeadline{500};
constexpr std::chrono::milliseconds kHearing{1500};
// A process that has just ended may still be heard; one that runs is heard again within this.
constexpr std::chrono::milliseconds kTwinHearing{2500};

fs::path sibling(const fs::path& journal, const char* suffix) {
  return journal.string() + suffix;
}

// Exists while the journal differs from those of the other nodes.
fs::path outvoted_mark(const fs::path& journal) {
  return sibling(journal, ".outvoted");
}

// Only in an empty file the first document is looked for: all would be read.
bool has_data(JournalEngine& engine) {
  return engine.head() > kNoSequence || !engine.read_documents("").empty();
}

// It may have events that the log was founded anew without.
void put_aside(const fs::path& journal, std::uint64_t generation) {
  const fs::path kept = sibling(journal, ".generation-") += std::to_string(generation);
  fs::rename(journal, kept);
  oriel::log()->warn("cluster: the journal of generation {} is kept as {}", generation,
                     kept.string());
}

Error bad_config(std::string message, std::string hint) {
  return {.kind = ErrorKind::kBadConfig, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace

void mark_outvoted(const fs::path& journal) {
  std::ofstream(outvoted_mark(journal)) << format_time(wall_now()) << '\n';
}

bool is_outvoted(const fs::path& journal) {
  return fs::exists(outvoted_mark(journal));
}

NodeStarter::NodeStarter(NatsConnection& log, NatsConnection& others, NatsPeers& peers,
                         NodeStarterOptions options)
    : log_(log),
      others_(others),
      peers_(peers),
      options_(std::move(options)),
      began_(std::chrono::steady_clock::now()) {
  options_.journal.is_replica = true;
}

std::unique_ptr<JournalEngine> NodeStarter::open(OwnJournal* own) const {
  *own = {.epoch = own->epoch.empty() ? random_id() : own->epoch};
  const fs::path& file = options_.journal.file;
  if (!fs::exists(file)) return nullptr;
  std::unique_ptr<JournalEngine> engine = open_sqlite_engine(options_.journal);
  *own = {.has_data = has_data(*engine),
          .was_outvoted = is_outvoted(file),
          .epoch = engine->epoch(),
          .head = engine->head(),
          .applied = applied_in(engine->read_documents(kLogDocuments))};
  return engine;
}

StartDecision NodeStarter::look(const OwnJournal& own, const std::stop_token& stop) {
  throw_if_stopped(stop);
  const Result<LogStream> found = find_stream(own);
  if (!found) return decide_without_log(own, found.error());
  stream_ = *found;
  if (!std::exchange(has_heard_, true) && hears_twin(stop)) {
    has_heard_ = false;
    return decide_without_log(own, bad_config("another process runs as the node " + options_.node,
                                              "give each node a name of its own with --node"));
  }
  return decide_start({.own = own, .stream = stream_, .peers = peers_.heartbeats()});
}

Result<LogStream> NodeStarter::find_stream(const OwnJournal& own) {
  if (const auto refusal = log_.refusal())
    return bad_config(*refusal, "check the user in --cluster, or --cluster-credentials");
  LogStreamOptions options;
  options.log = own.applied.log;
  if (own.applied.log.empty()) options.new_log = founded_log(own);
  options.replicas = options_.replicas;
  Result<LogStream> found =
      open_log_stream(log_, options, log_.is_connected() ? kLeaderDeadline : kDisconnectedDeadline);
  const auto problem = log_.problem();
  if (found || found.error().kind != ErrorKind::kNodeUnreachable || !problem) return found;
  return Error{.kind = ErrorKind::kNodeUnreachable,
               .message = *problem,
               .hint = "start the NATS servers; this is tried again"};
}

// Also with a journal of its own the others are heard: a wrong one would find no peer yet, and be
// served.
bool NodeStarter::hears_twin(const std::stop_token& stop) {
  others_.wait_connected(kStartConnectDeadline);
  wait_for(kHearing, stop);
  if (!peers_.has_twin(began_)) return false;
  const SteadyTime again = std::chrono::steady_clock::now();
  wait_for(kTwinHearing, stop);
  return peers_.has_twin(again);
}

std::unique_ptr<JournalEngine> NodeStarter::take(const StartDecision& decision,
                                                 const OwnJournal& own,
                                                 std::unique_ptr<JournalEngine> engine,
                                                 const std::stop_token& stop) {
  SqliteEngineOptions journal = options_.journal;
  switch (decision.step) {
    case StartStep::kFound:
      journal.new_epoch = own.epoch;
      if (!engine) engine = open_sqlite_engine(journal);
      engine->commit({}, std::vector<Document>{document_of({.log = stream_.log})});
      // Closing syncs it: without this document the journal would be a foreign one.
      engine.reset();
      oriel::log()->info("cluster: founded the log {}", stream_.log);
      break;
    case StartStep::kReplay:
      engine.reset();
      fs::remove(journal.file);  // it has no data
      journal.new_epoch = stream_.log;
      engine = open_sqlite_engine(journal);
      engine->commit({}, std::vector<Document>{document_of({.log = stream_.log})});
      break;
    case StartStep::kSnapshot:
      engine.reset();
      if (!take_snapshot(decision.sources, own, stop)) return nullptr;
      break;
    case StartStep::kFollow:
      return follow(std::move(engine));
    case StartStep::kGoOn:
    case StartStep::kServe:
    case StartStep::kRefuse:
      break;
  }
  if (!engine) engine = open_sqlite_engine(journal);
  return engine;
}

// Repeats itself after a crash: the position is stored last.
std::unique_ptr<JournalEngine> NodeStarter::follow(std::unique_ptr<JournalEngine> engine) {
  engine.reset();
  SqliteEngineOptions journal = options_.journal;
  journal.next_epoch = stream_.origin->epoch;
  engine = open_sqlite_engine(journal);
  const std::vector<Document> stored = engine->read_documents(kLogDocuments);
  engine->commit({}, documents_of_next(applied_in(stored), stream_.generation, stored));
  oriel::log()->warn("cluster: goes on in generation {} of the log {}, under a new epoch",
                     stream_.generation, stream_.log);
  return engine;
}

bool NodeStarter::take_snapshot(const std::vector<std::string>& sources, const OwnJournal& own,
                                const std::stop_token& stop) {
  const fs::path& journal = options_.journal.file;
  const fs::path file = sibling(journal, ".fetched");
  for (const std::string& node : sources) {
    oriel::log()->info("cluster: taking a snapshot of the node {}", node);
    const Result<void> fetched = fetch_snapshot(others_, node, file, stop);
    throw_if_stopped(stop);
    if (fetched) {
      const bool may_have_more =
          !own.applied.log.empty() && own.applied.generation != stream_.generation;
      if (may_have_more) put_aside(journal, own.applied.generation);
      install_snapshot(file, journal);
      fs::remove(outvoted_mark(journal));
      return true;
    }
    if (fetched.error().kind == ErrorKind::kFileFailed)
      throw std::runtime_error(describe(fetched.error()));
    oriel::log()->warn("cluster: {}", describe(fetched.error()));
  }
  return false;
}

}  // namespace oriel
