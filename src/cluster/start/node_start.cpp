#include "cluster/start/node_start.h"

#include "base/id.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// Farther behind, a snapshot is quicker than the log.
constexpr std::uint64_t kMaxCatchUp = 200'000;  // entries

StartDecision step(StartStep kind) {
  return {.step = kind};
}

StartDecision refuse(std::string message, std::string hint) {
  return {.refusal = Error{.kind = ErrorKind::kBadConfig,
                           .message = std::move(message),
                           .hint = std::move(hint)}};
}

StartDecision wait_for_node(std::string message) {
  return {.refusal = Error{.kind = ErrorKind::kNodeUnreachable,
                           .message = std::move(message),
                           .hint = "start a node that has its events; this is tried again"}};
}

// Whose snapshots a joiner can go on from.
std::vector<std::string> sources_of(const StartFacts& facts) {
  std::vector<Heartbeat> usable;
  for (const Heartbeat& peer : facts.peers) {
    const bool reaches_log = peer.node.place + 1 >= facts.stream.first;
    if (follows(peer, facts.stream) && reaches_log) usable.push_back(peer);
  }
  std::stable_sort(usable.begin(), usable.end(), [](const Heartbeat& a, const Heartbeat& b) {
    if (a.is_serving != b.is_serving) return a.is_serving;
    return a.node.place > b.node.place;
  });
  std::vector<std::string> names;
  names.reserve(usable.size());
  for (const Heartbeat& peer : usable)
    names.push_back(peer.node.name);
  return names;
}

StartDecision snapshot_or_wait(const StartFacts& facts, std::string problem) {
  std::vector<std::string> sources = sources_of(facts);
  if (sources.empty()) return wait_for_node(std::move(problem));
  return {.step = StartStep::kSnapshot, .sources = std::move(sources)};
}

// More nodes that serve have come to another result at the journal's place than to its own.
bool is_other_chain(const StartFacts& facts) {
  const Applied& own = facts.own.applied;
  std::ptrdiff_t others = 0;
  for (const Heartbeat& peer : facts.peers) {
    if (!peer.is_serving || !follows(peer, facts.stream)) continue;
    const bool is_at_place = peer.node.place == own.place;
    const bool is_at_mark = peer.mark_place == own.place;
    if (!is_at_place && !is_at_mark) continue;
    const std::uint64_t chain = is_at_place ? peer.node.chain : peer.mark_chain;
    others += chain == own.chain ? -1 : 1;
  }
  return others > 0;
}

// The log was founded anew, or has been lost since.
StartDecision decide_for_other_generation(const StartFacts& facts) {
  const Applied& own = facts.own.applied;
  const std::string now = "generation " + std::to_string(facts.stream.generation);
  if (own.generation > facts.stream.generation) {
    return decide_without_log(
        facts.own,
        {.kind = ErrorKind::kNodeUnreachable,
         .message = "the journal belongs to generation " + std::to_string(own.generation) +
                    " of the log, but the NATS servers have " + now,
         .hint = "check that these are the servers of its cluster; if they have lost "
                 "it, see oriel cluster refound"});
  }
  if (goes_on_from(facts.stream, own)) return step(StartStep::kFollow);
  return snapshot_or_wait(facts, "the log was founded anew from another journal (" + now +
                                     "), and no node that follows it is there to give a snapshot");
}

StartDecision decide_for_replica(const StartFacts& facts) {
  const Applied& own = facts.own.applied;
  const LogStream& stream = facts.stream;
  if (own.log != stream.log) {
    return refuse("the journal belongs to the log " + own.log +
                      ", but the NATS servers have the log " + stream.log,
                  "use the servers of its cluster, or start with an empty data directory");
  }
  if (own.generation != stream.generation) return decide_for_other_generation(facts);
  if (facts.own.was_outvoted || is_other_chain(facts)) {
    return snapshot_or_wait(facts,
                            "the journal differs from those of the other nodes, and none of them "
                            "is there to give a snapshot");
  }
  if (own.place + 1 < stream.first) {
    return snapshot_or_wait(facts, "the journal ends at place " + std::to_string(own.place) +
                                       " of the log, which begins at " +
                                       std::to_string(stream.first) +
                                       " now, and no other node is there to give a snapshot");
  }
  const bool is_far_behind = stream.last > own.place + kMaxCatchUp;
  if (std::vector<std::string> sources; is_far_behind) {
    sources = sources_of(facts);
    if (!sources.empty()) return {.step = StartStep::kSnapshot, .sources = std::move(sources)};
  }
  return step(StartStep::kGoOn);
}

bool is_founder(const StartFacts& facts) {
  return facts.stream.last == 0 && facts.stream.log == founded_log(facts.own);
}

}  // namespace

bool follows(const Heartbeat& node, const LogStream& stream) {
  return node.log == stream.log && node.generation == stream.generation;
}

std::string founded_log(const OwnJournal& own) {
  if (!own.has_data) return own.epoch;
  return own.epoch + "-" + std::to_string(own.head);
}

bool is_complete_log(const LogStream& stream) {
  return is_random_id(stream.log) && stream.generation == 1;
}

bool goes_on_from(const LogStream& stream, const Applied& applied) {
  return stream.origin && stream.log == applied.log &&
         stream.origin->generation == applied.generation && stream.origin->place == applied.place &&
         stream.origin->chain == applied.chain;
}

StartDecision decide_without_log(const OwnJournal& own, Error problem) {
  const bool may_pass = problem.kind == ErrorKind::kNodeUnreachable;
  const bool can_serve = may_pass && !own.applied.log.empty() && !own.was_outvoted;
  return {.step = can_serve ? StartStep::kServe : StartStep::kRefuse,
          .refusal = std::move(problem)};
}

StartDecision decide_start(const StartFacts& facts) {
  if (!facts.own.applied.log.empty()) return decide_for_replica(facts);
  if (is_founder(facts)) return step(StartStep::kFound);
  if (facts.own.has_data) {
    return refuse("the journal has events of its own, which the cluster does not have",
                  "move it away to join the cluster, or let this node found one on other NATS "
                  "servers");
  }
  std::vector<std::string> sources = sources_of(facts);
  if (!sources.empty()) return {.step = StartStep::kSnapshot, .sources = std::move(sources)};
  if (is_complete_log(facts.stream) && facts.stream.first == 1) return step(StartStep::kReplay);
  return wait_for_node("the log on the NATS servers does not have all events of the cluster" +
                       std::string(" any more, and no other node is there to give a snapshot"));
}

}  // namespace oriel
