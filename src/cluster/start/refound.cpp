#include "cluster/start/refound.h"

#include "base/id.h"
#include "cluster/entry_codec.h"
#include "cluster/nats_peers.h"
#include "cluster/start/node_starter.h"
#include "cluster/start/stoppable_wait.h"
#include "journal/entry_judge.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kConnecting{5000};
constexpr std::chrono::milliseconds kFinding{10'000};  // an election may be under way
constexpr std::chrono::milliseconds kHearingOthers{2500};

Error not_now(std::string message, std::string hint) {
  return {.kind = ErrorKind::kFailed, .message = std::move(message), .hint = std::move(hint)};
}

Error not_with(std::string message, std::string hint) {
  return {.kind = ErrorKind::kBadConfig, .message = std::move(message), .hint = std::move(hint)};
}

std::string at(std::uint64_t place) {
  return "place " + std::to_string(place);
}

// None: nobody has more.
const Heartbeat* farther_node(const RefoundFacts& facts) {
  const Applied& own = facts.own.applied;
  const auto has_more = [&own](const Heartbeat& peer) {
    return peer.log == own.log && peer.generation == own.generation && peer.node.place > own.place;
  };
  const auto found = std::find_if(facts.peers.begin(), facts.peers.end(), has_more);
  return found == facts.peers.end() ? nullptr : &*found;
}

// None: the log is lost or wrong, as far as this node can tell.
std::optional<Error> reason_to_keep(const RefoundFacts& facts) {
  if (!facts.stream) return std::nullopt;
  const Applied& own = facts.own.applied;
  const LogStream& stream = *facts.stream;
  if (goes_on_from(stream, own)) {
    return not_now("the log has been founded anew from this journal already",
                   "start this node: it goes on");
  }
  if (stream.generation > own.generation) {
    return not_now("the log has been founded anew from the journal of another node",
                   "start this node: it takes a snapshot of one that follows the log");
  }
  const bool is_lost = stream.generation < own.generation || stream.last < own.place;
  if (is_lost || facts.has_own_entry == false) return std::nullopt;
  return not_now(
      "the log is in order: it ends at " + at(stream.last) + ", this journal at " + at(own.place),
      "start this node: it goes on; add --force to found the log anew all the same");
}

// None: it cannot be told.
std::optional<bool> has_own_entry(NatsConnection& connection, const LogStream& stream,
                                  const std::vector<Document>& stored) {
  const Applied applied = applied_in(stored);
  const std::optional<EntryName> own = last_entry_in(stored);
  if (!own || stream.generation != applied.generation) return std::nullopt;
  const Result<std::string> bytes = read_message(connection, stream.generation, applied.place);
  if (!bytes) return std::nullopt;
  const EntryPart part = decode_message(*bytes);
  return EntryName{.author = part.author, .number = part.number} == *own;
}

std::vector<Heartbeat> hear_others(NatsConnection& connection, const std::string& node) {
  NatsPeers peers(connection, {.self = {.name = node, .life = node + "." + random_id()}});
  wait_for(kHearingOthers, {});
  return peers.heartbeats();
}

}  // namespace

Result<void> check_refound(const RefoundFacts& facts, bool is_forced) {
  const Applied& own = facts.own.applied;
  if (own.log.empty()) {
    return not_with("this journal belongs to no cluster",
                    "oriel serve --cluster makes it the first state of a new one");
  }
  if (facts.stream && facts.stream->log != own.log) {
    return not_with("the NATS servers have the log " + facts.stream->log +
                        " of another cluster, this journal belongs to the log " + own.log,
                    "use the servers of its cluster, or remove that log if nobody needs it: nats "
                    "stream rm " +
                        log_names(facts.stream->generation).stream);
  }
  if (is_forced) return {};
  if (auto reason = reason_to_keep(facts)) return *reason;
  if (facts.own.was_outvoted) {
    return not_now("this journal differs from those of the other nodes",
                   "run this on one of them, or add --force if this journal is right");
  }
  if (const Heartbeat* const other = farther_node(facts)) {
    return not_now("the node " + other->node.name + " has applied the log up to " +
                       at(other->node.place) + ", this journal ends at " + at(own.place),
                   "run this on that node, or add --force to go on without its last events");
  }
  return {};
}

Result<RefoundedLog> refound_log(const RefoundOptions& options) {
  SqliteEngineOptions journal = options.journal;
  journal.is_replica = true;
  const std::unique_ptr<JournalEngine> engine = open_sqlite_engine(journal);
  const std::vector<Document> stored = engine->read_documents(kLogDocuments);
  RefoundFacts facts;
  facts.own = {.has_data = true,
               .was_outvoted = is_outvoted(journal.file),
               .epoch = engine->epoch(),
               .head = engine->head(),
               .applied = applied_in(stored)};
  NatsConnection connection(options.nats, kConnecting);
  if (const auto refusal = connection.refusal()) return not_with(*refusal, {});
  const auto found = find_log_stream(connection, kFinding);
  if (!found) return found.error();
  facts.stream = *found;
  if (facts.stream) facts.has_own_entry = has_own_entry(connection, *facts.stream, stored);
  facts.peers = hear_others(connection, options.node);
  if (const auto allowed = check_refound(facts, options.is_forced); !allowed)
    return allowed.error();

  const Applied& own = facts.own.applied;
  const std::uint64_t newest = facts.stream ? facts.stream->generation : 0;
  const LogOrigin origin{
      .generation = own.generation, .place = own.place, .chain = own.chain, .epoch = random_id()};
  const LogStreamOptions stream{
      .log = own.log, .replicas = facts.stream ? facts.stream->replicas : options.replicas};
  const auto made =
      make_next_stream(connection, std::max(newest, own.generation) + 1, origin, stream, kFinding);
  if (!made) return made.error();
  if (made->origin != origin)
    return not_now("another node was first to found the log anew", "start this node");
  return RefoundedLog{.log = made->log, .generation = made->generation, .head = facts.own.head};
}

}  // namespace oriel
