#include "cluster/start/node_start.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kLog = "mzx4k7q2mzx4k7q2";  // founded without events
const std::string kGrown = kLog + "-1042";    // founded with some
const std::string kOtherEpoch = "aaaabbbbccccdddd";

LogStream stream_of(const std::string& log, std::uint64_t first, std::uint64_t last) {
  return {.log = log, .generation = 1, .first = first, .last = last};
}

OwnJournal no_journal() {
  return {.epoch = kOtherEpoch};
}

OwnJournal replica_at(std::uint64_t place, std::uint64_t chain = 7) {
  return {.has_data = true,
          .epoch = kLog,
          .head = 5000,
          .applied = {.log = kLog, .place = place, .chain = chain}};
}

Heartbeat peer_at(const std::string& name, std::uint64_t place, std::uint64_t chain = 7) {
  return {.node = {.name = name, .life = name + ".1", .place = place, .chain = chain},
          .log = kLog,
          .generation = 1,
          .is_serving = true};
}

StartDecision snapshot_of(std::vector<std::string> sources) {
  return {.step = StartStep::kSnapshot, .sources = std::move(sources)};
}

// Refused, but time may change it.
bool must_wait(const StartDecision& decision) {
  return decision.refusal && decision.refusal->kind == ErrorKind::kNodeUnreachable;
}

bool is_refused(const StartDecision& decision) {
  return decision.refusal && decision.refusal->kind == ErrorKind::kBadConfig;
}

TEST(NodeStart, MakerOfTheLogFoundsItWithItsEvents) {
  const OwnJournal own{.has_data = true, .epoch = kLog, .head = 1042};
  EXPECT_EQ(founded_log(own), kGrown);
  EXPECT_EQ(decide_start({.own = own, .stream = stream_of(kGrown, 1, 0)}).step, StartStep::kFound);
}

TEST(NodeStart, MakerOfTheLogFoundsItWithoutEvents) {
  const OwnJournal own{.epoch = kLog};
  EXPECT_EQ(founded_log(own), kLog);
  EXPECT_EQ(decide_start({.own = own, .stream = stream_of(kLog, 1, 0)}).step, StartStep::kFound);
}

TEST(NodeStart, JournalWithEventsOfItsOwnIsRefused) {
  const OwnJournal own{.has_data = true, .epoch = kOtherEpoch, .head = 10};
  for (const std::uint64_t last : {0, 100}) {
    EXPECT_TRUE(is_refused(decide_start(
        {.own = own, .stream = stream_of(kGrown, 1, last), .peers = {peer_at("b", last)}})));
  }
}

TEST(NodeStart, FounderThatHasGrownSinceIsRefused) {
  const OwnJournal own{.has_data = true, .epoch = kLog, .head = 1043};
  EXPECT_TRUE(is_refused(decide_start({.own = own, .stream = stream_of(kGrown, 1, 0)})));
}

TEST(NodeStart, JournalOfAnotherLogIsRefused) {
  const auto decision = decide_start({.own = replica_at(50), .stream = stream_of(kGrown, 1, 100)});
  ASSERT_TRUE(is_refused(decision));
  EXPECT_THAT(decision.refusal->message, HasSubstr("have the log"));
}

TEST(R_CLUSTER_6_NodeStart, WithoutAJournalTakesTheSnapshotOfANodeThatServes) {
  Heartbeat starting = peer_at("a", 100);
  starting.is_serving = false;
  EXPECT_EQ(decide_start({.own = no_journal(),
                          .stream = stream_of(kLog, 1, 100),
                          .peers = {starting, peer_at("b", 90), peer_at("c", 95)}}),
            snapshot_of({"c", "b", "a"}));
}

TEST(NodeStart, NodeOfAnotherLogOrBehindTheLogGivesNoSnapshot) {
  Heartbeat foreign = peer_at("a", 100);
  foreign.log = kOtherEpoch;
  Heartbeat older = peer_at("b", 100);
  older.generation = 2;
  EXPECT_TRUE(must_wait(decide_start({.own = no_journal(),
                                      .stream = stream_of(kLog, 51, 100),
                                      .peers = {foreign, older, peer_at("c", 49)}})));
  EXPECT_EQ(
      decide_start(
          {.own = no_journal(), .stream = stream_of(kLog, 51, 100), .peers = {peer_at("c", 50)}}),
      snapshot_of({"c"}));
}

TEST(NodeStart, WithoutAJournalOrANodeReplaysALogThatHasEverything) {
  EXPECT_EQ(decide_start({.own = no_journal(), .stream = stream_of(kLog, 1, 100)}).step,
            StartStep::kReplay);
  EXPECT_EQ(decide_start({.own = no_journal(), .stream = stream_of(kLog, 1, 0)}).step,
            StartStep::kReplay);
}

TEST(NodeStart, LogThatHasLostItsBeginningIsNotReplayed) {
  EXPECT_TRUE(must_wait(decide_start({.own = no_journal(), .stream = stream_of(kLog, 2, 100)})));
}

TEST(NodeStart, LogThatBeganWithEventsOfItsFounderIsNotReplayed) {
  EXPECT_TRUE(must_wait(decide_start({.own = no_journal(), .stream = stream_of(kGrown, 1, 100)})));
}

TEST(NodeStart, JournalThatTheLogReachesGoesOn) {
  for (const std::uint64_t place : {99, 100, 500, 700})
    EXPECT_EQ(decide_start({.own = replica_at(place), .stream = stream_of(kLog, 100, 500)}).step,
              StartStep::kGoOn)
        << place;
}

TEST(NodeStart, JournalThatIsOlderThanTheLogIsReplaced) {
  const StartFacts facts{.own = replica_at(98), .stream = stream_of(kLog, 100, 500)};
  EXPECT_TRUE(must_wait(decide_start(facts)));
  StartFacts with_peer = facts;
  with_peer.peers = {peer_at("b", 500)};
  EXPECT_EQ(decide_start(with_peer), snapshot_of({"b"}));
}

TEST(NodeStart, JournalThatIsFarBehindIsReplacedIfANodeIsThere) {
  const StartFacts facts{.own = replica_at(98), .stream = stream_of(kLog, 1, 500'000)};
  EXPECT_EQ(decide_start(facts).step, StartStep::kGoOn);
  StartFacts with_peer = facts;
  with_peer.peers = {peer_at("b", 500'000)};
  EXPECT_EQ(decide_start(with_peer), snapshot_of({"b"}));
}

TEST(NodeStart, JournalWithAnotherChainIsReplaced) {
  const StartFacts facts{.own = replica_at(128, 7),
                         .stream = stream_of(kLog, 1, 500),
                         .peers = {peer_at("b", 128, 8)}};
  EXPECT_EQ(decide_start(facts), snapshot_of({"b"}));

  StartFacts by_mark = facts;
  by_mark.peers[0].node.place = 140;
  by_mark.peers[0].mark_place = 128;
  by_mark.peers[0].mark_chain = 9;
  EXPECT_EQ(decide_start(by_mark), snapshot_of({"b"}));
  by_mark.peers[0].mark_chain = 7;
  EXPECT_EQ(decide_start(by_mark).step, StartStep::kGoOn);
}

TEST(NodeStart, JournalThatAsManyNodesConfirmAsDenyGoesOn) {
  EXPECT_EQ(decide_start({.own = replica_at(128, 7),
                          .stream = stream_of(kLog, 1, 500),
                          .peers = {peer_at("b", 128, 8), peer_at("c", 128, 7)}})
                .step,
            StartStep::kGoOn);
}

// The log was founded anew from a journal at place 128.
LogStream next_stream() {
  LogStream stream = stream_of(kLog, 1, 20);
  stream.generation = 2;
  stream.origin = LogOrigin{.generation = 1, .place = 128, .chain = 7, .epoch = kOtherEpoch};
  return stream;
}

Heartbeat peer_of_next(const std::string& name) {
  Heartbeat peer = peer_at(name, 20);
  peer.generation = 2;
  return peer;
}

TEST(R_CLUSTER_7_NodeStart, JournalThatEndsWhereTheNextGenerationBeganGoesOnInIt) {
  EXPECT_EQ(
      decide_start({.own = replica_at(128), .stream = next_stream(), .peers = {peer_of_next("b")}})
          .step,
      StartStep::kFollow);
}

TEST(R_CLUSTER_7_NodeStart, JournalThatDiffersFromTheOneOfTheNextGenerationIsReplaced) {
  const std::vector<OwnJournal> others{replica_at(127), replica_at(129), replica_at(128, 8)};
  for (const OwnJournal& own : others) {
    StartFacts facts{.own = own, .stream = next_stream()};
    EXPECT_TRUE(must_wait(decide_start(facts)));
    // A node of the earlier generation has the same problem.
    facts.peers = {peer_at("c", 128)};
    EXPECT_TRUE(must_wait(decide_start(facts)));
    facts.peers.push_back(peer_of_next("b"));
    EXPECT_EQ(decide_start(facts), snapshot_of({"b"}));
  }
}

TEST(R_CLUSTER_7_NodeStart, NextGenerationIsNotReplayedWithoutAJournal) {
  EXPECT_TRUE(must_wait(decide_start({.own = no_journal(), .stream = next_stream()})));
}

TEST(R_CLUSTER_7_NodeStart, JournalWhoseGenerationIsGoneIsServed) {
  OwnJournal own = replica_at(10);
  own.applied.generation = 2;
  const auto decision = decide_start({.own = own, .stream = stream_of(kLog, 1, 500)});
  EXPECT_EQ(decision.step, StartStep::kServe);
  EXPECT_TRUE(must_wait(decision));
}

TEST(R_CLUSTER_7_NodeStart, WithoutTheLogOnlyAJournalThatBelongsToOneIsServed) {
  const Error unreachable{.kind = ErrorKind::kNodeUnreachable, .message = "gone", .hint = {}};
  EXPECT_EQ(decide_without_log(replica_at(10), unreachable).step, StartStep::kServe);
  EXPECT_EQ(decide_without_log(no_journal(), unreachable).step, StartStep::kRefuse);
  OwnJournal outvoted = replica_at(10);
  outvoted.was_outvoted = true;
  EXPECT_EQ(decide_without_log(outvoted, unreachable).step, StartStep::kRefuse);
  const Error foreign{.kind = ErrorKind::kBadConfig, .message = "foreign", .hint = {}};
  EXPECT_EQ(decide_without_log(replica_at(10), foreign).step, StartStep::kRefuse);
}

TEST(NodeStart, OutvotedJournalIsReplacedAndNeverUsed) {
  OwnJournal own = replica_at(128);
  own.was_outvoted = true;
  EXPECT_TRUE(must_wait(decide_start({.own = own, .stream = stream_of(kLog, 1, 500)})));
  EXPECT_EQ(
      decide_start({.own = own, .stream = stream_of(kLog, 1, 500), .peers = {peer_at("b", 500)}}),
      snapshot_of({"b"}));
}

}  // namespace
}  // namespace oriel
