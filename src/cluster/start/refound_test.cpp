#include "cluster/start/refound.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

const std::string kThisLog = "mzx4k7q2mzx4k7q2";
const Applied kEnd{.log = kThisLog, .generation = 1, .place = 100, .chain = 7};

// A journal at place 100 of generation 1, and servers that have lost everything.
RefoundFacts lost_log() {
  return {.own = {.has_data = true, .epoch = kThisLog, .head = 500, .applied = kEnd}};
}

RefoundFacts with_stream(std::uint64_t generation, std::uint64_t last) {
  RefoundFacts facts = lost_log();
  facts.stream = LogStream{.log = kThisLog, .generation = generation, .last = last};
  return facts;
}

std::string refusal_of(const RefoundFacts& facts, bool is_forced = false) {
  const auto allowed = check_refound(facts, is_forced);
  return allowed ? "" : allowed.error().message;
}

using R_CLUSTER_7_Refound = testing::Test;

TEST_F(R_CLUSTER_7_Refound, ALogThatTheServersHaveLostIsFoundedAnew) {
  EXPECT_EQ(refusal_of(lost_log()), "");
}

TEST_F(R_CLUSTER_7_Refound, ALogThatHasLostItsEndIsFoundedAnew) {
  EXPECT_EQ(refusal_of(with_stream(1, 99)), "");
}

TEST_F(R_CLUSTER_7_Refound, ALogWhoseGenerationIsLostIsFoundedAnew) {
  RefoundFacts facts = with_stream(1, 500);
  facts.own.applied.generation = 2;
  EXPECT_EQ(refusal_of(facts), "");
}

TEST_F(R_CLUSTER_7_Refound, ALogWithAnotherEntryWhereTheJournalEndsIsFoundedAnew) {
  RefoundFacts facts = with_stream(1, 500);
  facts.has_own_entry = false;
  EXPECT_EQ(refusal_of(facts), "");
}

TEST_F(R_CLUSTER_7_Refound, ALogInOrderIsLeftAloneUnlessForced) {
  for (const std::optional<bool> has_own_entry : {std::optional<bool>(true), {}}) {
    RefoundFacts facts = with_stream(1, 100);
    facts.has_own_entry = has_own_entry;
    EXPECT_THAT(refusal_of(facts), HasSubstr("in order"));
    EXPECT_EQ(refusal_of(facts, true), "");
  }
}

TEST_F(R_CLUSTER_7_Refound, ALogThatWasFoundedAnewIsLeftAloneUnlessForced) {
  RefoundFacts facts = with_stream(2, 0);
  facts.stream->origin = LogOrigin{.generation = 1, .place = 100, .chain = 7, .epoch = "e"};
  EXPECT_THAT(refusal_of(facts), HasSubstr("from this journal already"));
  facts.stream->origin->place = 90;
  EXPECT_THAT(refusal_of(facts), HasSubstr("of another node"));
  EXPECT_EQ(refusal_of(facts, true), "");
}

TEST_F(R_CLUSTER_7_Refound, AJournalThatEndsBeforeThatOfAnotherNodeIsRefusedUnlessForced) {
  RefoundFacts facts = lost_log();
  facts.peers = {{.node = {.name = "b", .place = 101}, .log = kThisLog, .generation = 1}};
  EXPECT_THAT(refusal_of(facts), HasSubstr("the node b has applied the log up to place 101"));
  EXPECT_EQ(refusal_of(facts, true), "");
  facts.peers.front().node.place = 100;
  EXPECT_EQ(refusal_of(facts), "");
}

TEST_F(R_CLUSTER_7_Refound, AJournalThatWasOutvotedIsRefusedUnlessForced) {
  RefoundFacts facts = lost_log();
  facts.own.was_outvoted = true;
  EXPECT_THAT(refusal_of(facts), HasSubstr("differs"));
  EXPECT_EQ(refusal_of(facts, true), "");
}

TEST_F(R_CLUSTER_7_Refound, AnotherLogIsNeverReplaced) {
  RefoundFacts facts = with_stream(1, 100);
  facts.stream->log = "other";
  EXPECT_THAT(refusal_of(facts, true), HasSubstr("of another cluster"));
}

TEST_F(R_CLUSTER_7_Refound, AJournalOfNoClusterIsRefused) {
  RefoundFacts facts = lost_log();
  facts.own.applied = {};
  EXPECT_THAT(refusal_of(facts, true), HasSubstr("belongs to no cluster"));
}

}  // namespace
}  // namespace oriel
