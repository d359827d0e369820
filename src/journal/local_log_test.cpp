#include "journal/local_log.h"

#include "journal/engine_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::SizeIs;

const SteadyTime kNow = std::chrono::steady_clock::now();

Proposal proposal_of(std::size_t records) {
  Proposal proposal;
  for (std::size_t i = 0; i < records; ++i)
    proposal.records.push_back(new_record("s"));
  return proposal;
}

Result<void> offer(LocalLog& log, std::size_t records, int* answers = nullptr) {
  Proposal proposal = proposal_of(records);
  AppendHandler handler{.complete = [answers](const AppendResult&) {
    if (answers != nullptr) ++*answers;
  }};
  return log.offer(proposal, handler);
}

TEST(LocalLogTest, ReturnsAllThatWaitsAsOneEntryWithItsHandlers) {
  LocalLog log({});
  int answers = 0;
  ASSERT_TRUE(offer(log, 1, &answers));
  ASSERT_TRUE(offer(log, 2, &answers));
  const auto entries = log.take(kNow);
  ASSERT_THAT(*entries, SizeIs(1));
  EXPECT_THAT(entries->front().proposals, SizeIs(2));
  for (const AppendHandler& handler : log.handlers_of(entries->front()))
    handler(AppendResult());
  EXPECT_EQ(answers, 2);
}

TEST(LocalLogTest, AnEntryHoldsWholeProposalsUpToTheLimit) {
  LocalLog log({.max_batch_records = 3});
  ASSERT_TRUE(offer(log, 2));
  ASSERT_TRUE(offer(log, 2));
  ASSERT_TRUE(offer(log, 2));
  EXPECT_THAT(log.take(kNow)->front().proposals, SizeIs(2));
  EXPECT_THAT(log.take(kNow)->front().proposals, SizeIs(1));
}

TEST(LocalLogTest, RefusesWhatExceedsItsQueueButTakesOneOfAnySize) {
  LocalLog log({.max_queued_bytes = 10});
  EXPECT_TRUE(offer(log, 50));
  EXPECT_EQ(offer(log, 1).error().kind, ErrorKind::kJournalBusy);
  log.take(kNow);
  EXPECT_TRUE(offer(log, 1));
}

TEST(LocalLogTest, ReturnsNothingAtTheDeadline) {
  LocalLog log({});
  EXPECT_THAT(*log.take(kNow), SizeIs(0));
}

TEST(LocalLogTest, ReturnsWhatWasOfferedBeforeItStoppedAndRefusesTheRest) {
  LocalLog log({});
  ASSERT_TRUE(offer(log, 1));
  log.stop();
  EXPECT_EQ(offer(log, 1).error().kind, ErrorKind::kStopping);
  EXPECT_THAT(*log.take(kNow), SizeIs(1));
  EXPECT_FALSE(log.take(kNow));
}

}  // namespace
}  // namespace oriel
