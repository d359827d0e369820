#include "cluster/peer_table.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<Node>& nodes) {
  std::vector<std::string> names;
  for (const Node& node : nodes)
    names.push_back(node.life);
  return names;
}

std::vector<std::string> names_of(const std::vector<Heartbeat>& heartbeats) {
  std::vector<Node> nodes;
  for (const Heartbeat& heartbeat : heartbeats)
    nodes.push_back(heartbeat.node);
  return names_of(nodes);
}

Heartbeat heartbeat_of(const std::string& life) {
  return {.node = {.name = life.substr(0, life.find('.')), .life = life}, .log = "L"};
}

class PeerTableTest : public testing::Test {
 protected:
  void hear(const std::string& life) { table_.heard(heartbeat_of(life), now_); }

  void hear_leaving(const std::string& life) {
    Heartbeat last = heartbeat_of(life);
    last.is_leaving = true;
    table_.heard(last, now_);
  }

  // Time passes, and these send their heartbeats. Returns the lives that were lost.
  std::vector<std::string> pass(milliseconds duration, const std::vector<std::string>& lives,
                                bool is_caught_up = true) {
    std::vector<std::string> lost;
    const SteadyTime until = now_ + duration;
    while (now_ < until) {
      if ((now_ - SteadyTime()) % kHeartbeatEvery == milliseconds(0)) {
        for (const std::string& life : lives)
          hear(life);
      }
      for (const std::string& life : names_of(table_.tick(now_, is_caught_up)))
        lost.push_back(life);
      now_ += kPeerTick;
    }
    return lost;
  }

  SteadyTime now_{std::chrono::hours(1)};
  PeerTable table_{{.name = "me", .life = "me.1"}};
};

TEST_F(PeerTableTest, KnowsOthersThatSendHeartbeatsOrderedByName) {
  EXPECT_THAT(pass(milliseconds(1000), {"c.1", "me.1", "b.1"}), IsEmpty());
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.1", "c.1"));
  EXPECT_EQ(table_.find("c")->node.life, "c.1");
  EXPECT_FALSE(table_.find("me"));
}

using R_CLUSTER_4_PeerTable = PeerTableTest;

TEST_F(R_CLUSTER_4_PeerTable, NodeThatIsSilentForTheTimeoutIsLostOnce) {
  pass(milliseconds(1000), {"me.1", "b.1", "c.1"});
  EXPECT_THAT(pass(milliseconds(9000), {"me.1", "c.1"}), IsEmpty());
  EXPECT_THAT(pass(milliseconds(2000), {"me.1", "c.1"}), ElementsAre("b.1"));
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("c.1"));
  EXPECT_THAT(pass(milliseconds(20'000), {"me.1", "c.1"}), IsEmpty());
}

TEST_F(PeerTableTest, LostNodeThatReturnsIsAliveAndCanBeLostAgain) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  ASSERT_THAT(pass(milliseconds(12'000), {"me.1"}), ElementsAre("b.1"));
  pass(milliseconds(1000), {"me.1", "b.1"});
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.1"));
  EXPECT_THAT(pass(milliseconds(12'000), {"me.1"}), ElementsAre("b.1"));
}

TEST_F(PeerTableTest, NobodyIsLostWhileOwnHeartbeatsDoNotComeBack) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  EXPECT_THAT(pass(milliseconds(60'000), {}), IsEmpty());
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.1"));
}

TEST_F(PeerTableTest, WhoIsDeafGivesTheOthersAnewAllTheirTime) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  pass(milliseconds(60'000), {});
  EXPECT_THAT(pass(milliseconds(9000), {"me.1"}), IsEmpty());
  EXPECT_THAT(pass(milliseconds(3000), {"me.1"}), ElementsAre("b.1"));
}

TEST_F(PeerTableTest, NobodyIsLostWhileThisNodeHasNotAppliedTheWholeLog) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  EXPECT_THAT(pass(milliseconds(60'000), {"me.1"}, false), IsEmpty());
  EXPECT_THAT(pass(milliseconds(2000), {"me.1"}), ElementsAre("b.1"));
}

TEST_F(PeerTableTest, ProcessThatWasFrozenStartsAllClocksAnew) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  now_ += std::chrono::minutes(1);  // no tick
  EXPECT_THAT(pass(milliseconds(9000), {"me.1"}), IsEmpty());
  EXPECT_THAT(pass(milliseconds(3000), {"me.1"}), ElementsAre("b.1"));
}

// Heartbeats that waited while the process was frozen arrive before its first tick.
TEST_F(PeerTableTest, ProcessThatWasFrozenLosesNobodyByItsOwnOldHeartbeats) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  now_ += std::chrono::minutes(1);
  hear("me.1");
  EXPECT_THAT(names_of(table_.tick(now_, true)), IsEmpty());
  EXPECT_THAT(names_of(table_.tick(now_ + kPeerTick, true)), IsEmpty());
}

TEST_F(PeerTableTest, NewLifeEndsTheOldOneAtOnce) {
  pass(milliseconds(1000), {"me.1", "b.1"});
  hear("b.2");
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.2"));
  hear("b.1");  // it was on its way, or was only frozen
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.2"));
  EXPECT_THAT(pass(milliseconds(20'000), {"me.1", "b.2"}), IsEmpty());
}

TEST_F(PeerTableTest, NodeThatLeavesIsGoneAtOnceAndLostIfItDoesNotReturn) {
  pass(milliseconds(1000), {"me.1", "b.1", "c.1"});
  hear_leaving("b.1");
  hear_leaving("c.1");
  hear("b.1");  // out of order
  EXPECT_THAT(names_of(table_.alive()), IsEmpty());
  EXPECT_THAT(pass(milliseconds(5000), {"me.1", "c.2"}), IsEmpty());
  EXPECT_THAT(pass(milliseconds(7000), {"me.1", "c.2"}), ElementsAre("b.1"));
}

// As after a restart of all nodes, one of which does not return.
TEST_F(PeerTableTest, LifeThatOnlyTheJournalKnowsIsLostIfItStaysSilent) {
  for (const char* life : {"b.1", "c.1", "d.1", "me.0", "nonsense", "*.1", ""})
    table_.expect(life, now_);
  EXPECT_THAT(names_of(table_.alive()), IsEmpty());
  EXPECT_FALSE(table_.find("b"));
  EXPECT_THAT(pass(milliseconds(5000), {"me.1", "c.1", "d.2"}), IsEmpty());
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("c.1", "d.2"));
  EXPECT_THAT(pass(milliseconds(7000), {"me.1", "c.1", "d.2"}), ElementsAre("b.1"));
  table_.expect("c.0", now_);
  EXPECT_THAT(pass(milliseconds(20'000), {"me.1", "c.1", "d.2"}), IsEmpty());
}

TEST_F(PeerTableTest, SecondProcessWithTheSameNameIsNoticedUntilItLeaves) {
  const SteadyTime start = now_;
  pass(milliseconds(1000), {"me.1", "b.1"});
  EXPECT_FALSE(table_.has_twin(start));
  hear("me.0");
  EXPECT_TRUE(table_.has_twin(start));
  EXPECT_FALSE(table_.has_twin(now_)) << "not since then";
  EXPECT_THAT(names_of(table_.alive()), ElementsAre("b.1"));
  hear_leaving("me.0");
  EXPECT_FALSE(table_.has_twin(start));
}

TEST_F(PeerTableTest, NewestEntryFormatIsTheOneThatAllKnow) {
  EXPECT_EQ(table_.entry_format(), kEntryFormat);
  Heartbeat older = heartbeat_of("b.1");
  older.entry_format = 0;
  Heartbeat newer = heartbeat_of("c.1");
  newer.entry_format = kEntryFormat + 1;
  table_.heard(newer, now_);
  EXPECT_EQ(table_.entry_format(), kEntryFormat);
  table_.heard(older, now_);
  EXPECT_EQ(table_.entry_format(), 0);
}

TEST_F(PeerTableTest, GarbageCannotFillTheTable) {
  for (int i = 0; i < 10'000; ++i)
    hear("x" + std::to_string(i) + ".1");
  EXPECT_LE(table_.alive().size(), 256);
}

// What nodes report of their chains.
class PeerChain : public PeerTableTest {
 protected:
  void report(const std::string& life, std::uint64_t place, std::uint64_t chain,
              std::uint64_t refilled = 0) {
    Heartbeat heartbeat = heartbeat_of(life);
    heartbeat.node.place = place;
    heartbeat.node.chain = chain;
    heartbeat.refilled = refilled;
    table_.heard(heartbeat, now_);
  }

  // This node's chain is 7 up to place 100.
  ChainVerdict verdict(std::uint64_t own_refilled = 0) {
    Heartbeat own = heartbeat_of("me.1");
    own.refilled = own_refilled;
    table_.compare(own, [](std::uint64_t place) {
      return place <= 100 ? std::optional<std::uint64_t>(7) : std::nullopt;
    });
    return table_.chain().verdict;
  }
};

TEST_F(PeerChain, IsUnknownUntilSomebodyReportsAPlaceThatThisNodeHas) {
  EXPECT_EQ(verdict(), ChainVerdict::kUnknown);
  report("b.1", 200, 8);
  EXPECT_EQ(verdict(), ChainVerdict::kUnknown);
  report("b.1", 50, 7);
  EXPECT_EQ(verdict(), ChainVerdict::kAgreed);
}

TEST_F(PeerChain, OfAnEmptyLogAgrees) {
  report("b.1", 0, 7);
  EXPECT_EQ(verdict(), ChainVerdict::kAgreed);
}

TEST_F(PeerChain, IsComparedAtMarksToo) {
  Heartbeat ahead = heartbeat_of("b.1");
  ahead.node.place = 200;
  ahead.node.chain = 9;
  ahead.mark_place = 64;
  ahead.mark_chain = 7;
  table_.heard(ahead, now_);
  EXPECT_EQ(verdict(), ChainVerdict::kAgreed);
}

TEST_F(PeerChain, OfAnotherLogOrGenerationIsNotCompared) {
  Heartbeat foreign = heartbeat_of("b.1");
  foreign.log = "other";
  foreign.node.place = 50;
  foreign.node.chain = 8;
  table_.heard(foreign, now_);
  Heartbeat later = heartbeat_of("c.1");
  later.generation = 2;
  later.node.place = 50;
  later.node.chain = 8;
  table_.heard(later, now_);
  EXPECT_EQ(verdict(), ChainVerdict::kUnknown);
}

TEST_F(PeerChain, TwoThatAgreeOutvoteThisNode) {
  report("b.1", 50, 8);
  report("c.1", 50, 8);
  EXPECT_EQ(verdict(), ChainVerdict::kSelfWrong);
}

TEST_F(PeerChain, TwoThatDifferFromEachOtherDoNot) {
  report("b.1", 50, 8);
  report("c.1", 50, 9);
  EXPECT_NE(verdict(), ChainVerdict::kSelfWrong);
}

TEST_F(PeerChain, OneThatAgreesMakesTheOtherWrong) {
  report("b.1", 50, 8);
  report("c.1", 50, 7);
  EXPECT_EQ(verdict(), ChainVerdict::kOtherWrong);
  EXPECT_THAT(table_.chain().differing, ElementsAre("b"));
  EXPECT_THAT(table_.chain().agreeing, ElementsAre("c"));
}

TEST_F(PeerChain, TwoAgainstTwoIsUndecided) {
  report("b.1", 50, 8);
  report("c.1", 50, 8);
  report("d.1", 50, 7);
  EXPECT_EQ(verdict(), ChainVerdict::kUndecided);
}

TEST_F(PeerChain, OfTwoTheOneThatHasRefilledSinceIsWrong) {
  hear("me.1");
  report("b.1", 50, 7, 5);
  ASSERT_EQ(verdict(3), ChainVerdict::kAgreed);
  report("b.1", 60, 8, 5);
  EXPECT_EQ(verdict(3), ChainVerdict::kUndecided);
  EXPECT_EQ(verdict(4), ChainVerdict::kSelfWrong);
  report("b.1", 61, 8, 6);
  EXPECT_EQ(verdict(4), ChainVerdict::kUndecided) << "both";
  EXPECT_EQ(verdict(3), ChainVerdict::kOtherWrong);
}

TEST_F(PeerChain, OfTwoTheOneThatHasRestartedSinceIsWrong) {
  hear("me.1");
  report("b.1", 50, 7);
  ASSERT_EQ(verdict(), ChainVerdict::kAgreed);
  report("b.2", 60, 8);
  EXPECT_EQ(verdict(), ChainVerdict::kOtherWrong);
}

TEST_F(PeerChain, OfTwoTheOneThatWasHereFirstIsRight) {
  report("b.1", 50, 8);
  hear("me.1");
  EXPECT_EQ(verdict(), ChainVerdict::kSelfWrong) << "b was here when this node started";
}

TEST_F(PeerChain, OfTwoTheOneThatJoinsIsWrong) {
  hear("me.1");
  report("b.1", 50, 8);
  EXPECT_EQ(verdict(), ChainVerdict::kOtherWrong);
}

TEST_F(PeerChain, NodeThatHasTakenASnapshotAgreesAgain) {
  hear("me.1");
  report("b.1", 50, 8);
  ASSERT_EQ(verdict(), ChainVerdict::kOtherWrong);
  report("b.2", 60, 7);
  EXPECT_EQ(verdict(), ChainVerdict::kAgreed);
}

}  // namespace
}  // namespace oriel
