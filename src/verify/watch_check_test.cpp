#include "verify/watch_check.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

// Each event's digest is ten times its sequence.
std::vector<Delivery> deliveries(const std::vector<Sequence>& sequences) {
  std::vector<Delivery> made;
  for (const Sequence sequence : sequences)
    made.push_back({.sequence = sequence, .digest = sequence * 10});
  return made;
}

WatchCheck check(const std::vector<Sequence>& received, std::vector<AnnouncedGap> gaps = {}) {
  const WatchLog log{.watcher = "w", .deliveries = deliveries(received), .gaps = std::move(gaps)};
  return check_watch(log, deliveries({1, 2, 4, 5, 6}));
}

using Texts = std::vector<std::string>;

TEST(WatchCheck, TheWholeJournalIsSound) {
  const WatchCheck sound = check({1, 2, 4, 5, 6});
  EXPECT_EQ(sound.delivered, 5u);
  EXPECT_EQ(sound.faults, Texts{});
  EXPECT_EQ(sound.holes, Texts{});
  EXPECT_EQ(sound.wrong_gaps, Texts{});
}

TEST(WatchCheck, ARepeatedEventIsAFault) {
  EXPECT_EQ(check({1, 2, 2, 4, 5, 6}).faults, Texts{"w: 2 after 2"});
}

TEST(WatchCheck, AnEarlierEventIsAFault) {
  const WatchCheck wrong = check({1, 4, 2, 5, 6});
  EXPECT_EQ(wrong.faults, Texts{"w: 2 after 4"});
  EXPECT_EQ(wrong.holes, Texts{"w: 2 to 2 missing after 1"});
}

TEST(WatchCheck, AnUnknownEventIsAFault) {
  EXPECT_EQ(check({1, 2, 3, 4, 5, 6}).faults, Texts{"w: 3 is not in the journal"});
}

TEST(WatchCheck, AChangedEventIsAFault) {
  const WatchLog log{.watcher = "w", .deliveries = {{.sequence = 1, .digest = 11}}, .gaps = {}};
  EXPECT_EQ(check_watch(log, deliveries({1})).faults, Texts{"w: 1 differs from the journal"});
}

TEST(WatchCheck, AMissingEventIsAHoleAtTheStartInTheMiddleAndAtTheEnd) {
  EXPECT_EQ(check({2, 4, 5, 6}).holes, Texts{"w: 1 to 1 missing after 0"});
  EXPECT_EQ(check({1, 2, 6}).holes, Texts{"w: 4 to 5 missing after 2"});
  EXPECT_EQ(check({1, 2, 4}).holes, Texts{"w: 5 to 6 missing after 4"});
}

TEST(WatchCheck, AGapExplainsAsManyEventsAsItCounts) {
  const WatchCheck announced = check({1, 2, 6}, {{.position = 2, .missed = 2}});
  EXPECT_EQ(announced.holes, Texts{});
  EXPECT_EQ(announced.wrong_gaps, Texts{});
  EXPECT_EQ(announced.announced, 2u);
  EXPECT_EQ(check({1, 2, 6}, {{.position = 2, .missed = 1}}).wrong_gaps,
            Texts{"w: a gap of 1 events after 2, where 2 are missing"});
}

TEST(WatchCheck, AGapElsewhereExplainsNothing) {
  const WatchCheck wrong = check({1, 2, 6}, {{.position = 1, .missed = 2}});
  EXPECT_EQ(wrong.holes, Texts{"w: 4 to 5 missing after 2"});
  EXPECT_EQ(wrong.wrong_gaps, Texts{"w: a gap of 2 events after 1, where 0 are missing"});
}

TEST(WatchCheck, AGapWithoutANumberNeedsAMissingEvent) {
  const AnnouncedGap gap{.position = 2, .missed = std::nullopt};
  EXPECT_EQ(check({1, 2, 6}, {gap}).wrong_gaps, Texts{});
  EXPECT_EQ(check({1, 2, 4, 5, 6}, {gap}).wrong_gaps,
            Texts{"w: a gap after 2, where nothing is missing"});
}

}  // namespace
}  // namespace oriel
