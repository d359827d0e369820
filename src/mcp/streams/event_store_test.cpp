#include "mcp/streams/event_store.h"

#include <gmock/gmock.h>

#include <limits>
#include <map>
#include <utility>

namespace oriel::mcp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kPayload = 1000;
constexpr std::size_t kEvent = 1300;  // at least what a payload and its event cost, less than two

// A store with logs by the names of their session and stream.
class NamedLogs : public EventStore {
 public:
  using EventStore::EventStore;

  StreamLog& open(const std::string& session, const std::string& stream) {
    return logs_.try_emplace({session, stream}, *this).first->second;
  }

  void close(const std::string& session, const std::string& stream) {
    logs_.erase({session, stream});
  }

 private:
  std::map<std::pair<std::string, std::string>, StreamLog> logs_;
};

// A store with a budget, which counts the streams' events as a server would.
class Fixture {
 public:
  explicit Fixture(std::size_t limit) : budget(limit), store(budget) {}

  void say(const std::string& stream, EventKind kind = EventKind::kMessage,
           std::size_t bytes = kPayload) {
    say_to("s", stream, kind, bytes);
  }

  void say_to(const std::string& session, const std::string& stream,
              EventKind kind = EventKind::kMessage, std::size_t bytes = kPayload) {
    const std::uint64_t counter = ++counters_[{session, stream}];
    store.open(session, stream).append(counter, budget.hold(std::string(bytes, 'x')), kind);
  }

  void flood(const std::string& stream, int count) {
    for (int i = 0; i < count; ++i)
      say(stream);
  }

  EventsAfter after(const std::string& stream, std::uint64_t counter) {
    return store.open("s", stream).events_after(counter, kAll, kAll);
  }

  StoreBudget budget;
  NamedLogs store;

 private:
  std::map<std::pair<std::string, std::string>, std::uint64_t> counters_;
};

std::vector<std::uint64_t> counters(const EventsAfter& after) {
  std::vector<std::uint64_t> out;
  for (const StoredEvent& event : after.events)
    out.push_back(event.counter);
  return out;
}

TEST(R_STORE_1, WhatWasStoredIsFoundAgainInOrder) {
  StoreBudget budget(1u << 20);
  NamedLogs store(budget);
  store.open("s", "a").append(1, budget.hold(std::string("one")), EventKind::kMessage);
  store.open("s", "a").append(2, budget.hold(std::string("two")), EventKind::kMessage);
  store.open("s", "a").append(3, budget.hold(std::string("three")), EventKind::kResponse);
  const EventsAfter after = store.open("s", "a").events_after(1, kAll, kAll);
  EXPECT_FALSE(after.is_purged);
  EXPECT_EQ(after.oldest, 1u);
  EXPECT_EQ(after.newest, 3u);
  ASSERT_THAT(counters(after), ElementsAre(2, 3));
  EXPECT_EQ(after.events[0].message->rest, "two");
  EXPECT_EQ(after.events[1].message->rest, "three");
}

TEST(R_STORE_1, AfterTheNewestThereIsNothing) {
  Fixture f(1u << 20);
  f.flood("a", 3);
  for (const std::uint64_t counter : {std::uint64_t{3}, std::uint64_t{4}, ~std::uint64_t{0}}) {
    const EventsAfter after = f.after("a", counter);
    EXPECT_THAT(after.events, IsEmpty());
    EXPECT_FALSE(after.is_purged);
    EXPECT_EQ(after.newest, 3u);
  }
}

TEST(R_STORE_1, AStreamThatContinuesAfterHighCountersHoldsOnlyItsOwnEvents) {
  constexpr std::uint64_t kBefore = std::uint64_t{1} << 40;
  Fixture f(1u << 20);
  StreamLog& log = f.store.open("s", "a");
  log.continue_after(kBefore);
  log.mark_sent(kBefore);
  EXPECT_THAT(counters(f.after("a", 0)), IsEmpty());
  log.append(kBefore + 1, f.budget.hold(std::string("one")), EventKind::kResponse);
  log.append(kBefore + 2, f.budget.hold(std::string("two")), EventKind::kMessage);
  for (const std::uint64_t counter : {std::uint64_t{0}, kBefore})
    EXPECT_THAT(counters(f.after("a", counter)), ElementsAre(kBefore + 1, kBefore + 2));
  EXPECT_FALSE(f.after("a", 0).is_purged);
  log.mark_sent(kBefore + 2);
}

TEST(R_STORE_2, TheOldestOfAllStreamsGoFirst) {
  Fixture f(4 * kEvent);
  f.say("a");
  f.say("b");
  f.say("a");
  f.say("b");
  f.say("c");
  EXPECT_EQ(f.after("a", 2).oldest, 2u);
  EXPECT_EQ(f.after("b", 2).oldest, 1u);
  f.say("c");
  EXPECT_EQ(f.after("a", 2).oldest, 2u);
  EXPECT_EQ(f.after("b", 2).oldest, 2u);
}

TEST(R_STORE_2, TheBudgetHoldsWhateverIsStored) {
  Fixture f(20 * kEvent);
  for (int i = 0; i < 1000; ++i) {
    f.say("stream" + std::to_string(i % 7), EventKind::kMessage, static_cast<std::size_t>(i));
    EXPECT_FALSE(f.budget.is_over());
  }
  EXPECT_GT(f.budget.held(), 18 * kEvent);
}

TEST(R_STORE_2, EventsWithoutPayloadCountToo) {
  Fixture f(10'000);
  for (int i = 0; i < 1000; ++i)
    f.say("a", EventKind::kMessage, 0);
  EXPECT_FALSE(f.budget.is_over());
  EXPECT_LT(f.after("a", 999).newest - f.after("a", 999).oldest, 200u);
}

TEST(R_STORE_2, ANewEventIsAcceptedHoweverLarge) {
  Fixture f(2 * kEvent);
  f.say("a");
  f.say("b", EventKind::kMessage, 100 * kPayload);
  EXPECT_THAT(f.after("b", 0).events, SizeIs(1));
  f.say("a");
  EXPECT_TRUE(f.after("b", 0).is_purged);
  EXPECT_THAT(counters(f.after("a", 1)), ElementsAre(2));
}

TEST(R_STORE_2, AFloodDoesNotEvictTheUnsentResponseOfAnotherStream) {
  Fixture f(4 * kEvent);
  f.say("a", EventKind::kResponse);
  f.say("b", EventKind::kResponse);
  f.flood("flood", 100);
  EXPECT_THAT(counters(f.after("a", 0)), ElementsAre(1));
  EXPECT_THAT(counters(f.after("b", 0)), ElementsAre(1));
  EXPECT_FALSE(f.budget.is_over());
}

TEST(R_STORE_2, AResponseThatWasSentGoesInItsTurn) {
  Fixture f(3 * kEvent);
  f.say("a");
  f.say("b", EventKind::kResponse);
  f.store.open("s", "b").mark_sent(1);
  f.flood("c", 2);
  EXPECT_TRUE(f.after("a", 0).is_purged);
  EXPECT_THAT(counters(f.after("b", 0)), ElementsAre(1));
  f.say("c");
  EXPECT_TRUE(f.after("b", 0).is_purged);
}

TEST(R_STORE_2, AResponseThatWasPassedOverGoesOnceItIsSent) {
  Fixture f(3 * kEvent);
  f.say("a", EventKind::kResponse);
  f.flood("c", 10);
  f.store.open("s", "a").mark_sent(1);
  EXPECT_THAT(counters(f.after("a", 0)), ElementsAre(1));
  f.say("c");
  EXPECT_TRUE(f.after("a", 0).is_purged);
  EXPECT_THAT(counters(f.after("c", 8)), ElementsAre(9, 10, 11));
}

TEST(R_STORE_2, WhatIsMarkedSentUpToAnEventLeavesLaterResponsesUnsent) {
  Fixture f(4 * kEvent);
  f.say("a", EventKind::kResponse);
  f.say("a", EventKind::kResponse);
  f.store.open("s", "a").mark_sent(1);
  f.flood("c", 10);
  EXPECT_TRUE(f.after("a", 0).is_purged);
  EXPECT_THAT(counters(f.after("a", 1)), ElementsAre(2));
}

TEST(R_STORE_2, OfUnsentResponsesThatAloneExceedTheBudgetTheOldestGoes) {
  Fixture f(3 * kEvent);
  for (const char* stream : {"a", "b", "c", "d"})
    f.say(stream, EventKind::kResponse);
  EXPECT_TRUE(f.after("a", 0).is_purged);
  for (const char* stream : {"b", "c", "d"})
    EXPECT_THAT(counters(f.after(stream, 0)), ElementsAre(1)) << stream;
  EXPECT_FALSE(f.budget.is_over());
}

TEST(R_STORE_2, AnUnsentResponseStaysWhileItIsAnotherStoreThatHoldsTooMuch) {
  Fixture f(3 * kEvent);
  NamedLogs other(f.budget);
  for (std::uint64_t counter = 1; counter <= 3; ++counter)
    other.open("t", "x").append(counter, f.budget.hold(std::string(kPayload, 'x')),
                                EventKind::kMessage);
  f.say("a", EventKind::kResponse);
  f.say("b", EventKind::kResponse);
  EXPECT_THAT(counters(f.after("a", 0)), ElementsAre(1));
  EXPECT_TRUE(f.budget.is_over());
  other.trim();
  EXPECT_FALSE(f.budget.is_over());
  EXPECT_EQ(other.open("t", "x").events_after(3, kAll, kAll).oldest, 3u);
}

TEST(R_STORE_2, WhatAStreamStillSaysAfterAnUnsentResponseMayGoBeforeIt) {
  Fixture f(3 * kEvent);
  f.say("a", EventKind::kResponse);
  f.flood("a", 2);
  f.flood("c", 2);
  EXPECT_TRUE(f.after("a", 2).is_purged);
  EXPECT_EQ(f.after("a", 2).oldest, 1u);
  EXPECT_THAT(f.after("a", 3).events, IsEmpty());
  f.say("a");
  EXPECT_THAT(counters(f.after("a", 3)), ElementsAre(4));
}

TEST(R_STORE_3, StreamsAndSessionsAreKeptApart) {
  Fixture f(1u << 20);
  f.say_to("s", "a");
  f.say_to("s", "b");
  f.say_to("t", "a");
  f.say_to("t", "a");
  EXPECT_EQ(f.store.open("s", "a").events_after(0, kAll, kAll).newest, 1u);
  EXPECT_EQ(f.store.open("t", "a").events_after(0, kAll, kAll).newest, 2u);
}

TEST(R_STORE_3, AStreamThatHasSaidNothingHasNothingToSayAgain) {
  Fixture f(1u << 20);
  const EventsAfter after = f.after("a", 0);
  EXPECT_FALSE(after.is_purged);
  EXPECT_EQ(after.newest, 0u);
  EXPECT_EQ(after.oldest, 0u);
  EXPECT_THAT(after.events, IsEmpty());
}

TEST(R_STORE_3, AReplayEndsAtItsLimits) {
  Fixture f(1u << 20);
  f.flood("a", 10);
  EXPECT_THAT(counters(f.store.open("s", "a").events_after(2, 3, kAll)), ElementsAre(3, 4, 5));
  EXPECT_THAT(f.store.open("s", "a").events_after(2, 0, kAll).events, IsEmpty());
  EXPECT_THAT(counters(f.store.open("s", "a").events_after(2, kAll, kPayload)), ElementsAre(3));
  EXPECT_THAT(counters(f.store.open("s", "a").events_after(2, kAll, kPayload + 1)),
              ElementsAre(3, 4));
}

TEST(R_STORE_3, TheBytesOfAStreamThatEndsAreFree) {
  Fixture f(1u << 20);
  f.say("b");
  const std::size_t before = f.budget.held();
  f.flood("a", 100);
  f.say("a", EventKind::kResponse);
  f.store.close("s", "a");
  EXPECT_EQ(f.after("b", 0).newest, 1u);
  EXPECT_EQ(f.budget.held(), before);
}

TEST(R_STORE_3, AStreamThatHasEndedNoLongerPinsTheBudget) {
  Fixture f(3 * kEvent);
  for (int i = 0; i < 100; ++i) {
    f.say("a", EventKind::kResponse);
    f.say("b", EventKind::kResponse);
    f.store.close("s", "a");
    f.store.close("s", "b");
  }
  EXPECT_EQ(f.budget.held(), 0u);
  EXPECT_FALSE(f.budget.is_over_by_pinned_alone());
}

TEST(R_STORE_3, AStoreThatEndsGivesItsBytesBack) {
  StoreBudget budget(10 * kEvent);
  {
    NamedLogs store(budget);
    for (std::uint64_t counter = 1; counter <= 100; ++counter)
      store.open("s", "a").append(counter, budget.hold(std::string("x")), EventKind::kResponse);
    EXPECT_GT(budget.held(), 0u);
  }
  EXPECT_EQ(budget.held(), 0u);
  EXPECT_FALSE(budget.is_over_by_pinned_alone());
}

TEST(R_STORE_3, AStreamGrowsAndShrinksAndForgetsNothingThatItHolds) {
  Fixture f(5000 * 200);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i)
      f.say("a", EventKind::kMessage, 10);
    for (int i = 0; i < 400; ++i)
      f.say("b", EventKind::kMessage, 2000);
    const EventsAfter state = f.after("a", 1u << 30);
    const auto held = counters(f.after("a", state.oldest));
    EXPECT_EQ(held.size(), state.newest - state.oldest);
    for (std::size_t i = 0; i < held.size(); ++i)
      ASSERT_EQ(held[i], state.oldest + 1 + i);
  }
}

TEST(R_STORE_4, APayloadOfManyStreamsIsHeldOnce) {
  Fixture f(1u << 20);
  const SharedMessage payload = f.budget.hold(std::string(10'000, 'x'));
  const std::size_t before = f.budget.held();
  for (int i = 0; i < 50; ++i)
    f.store.open("s", "stream" + std::to_string(i)).append(1, payload, EventKind::kMessage);
  EXPECT_LT(f.budget.held() - before, 10'000u);
  EXPECT_EQ(f.store.open("s", "stream7").events_after(0, kAll, kAll).events.at(0).message, payload);
}

TEST(R_RESUME_3, WhoAsksForWhatIsGoneIsToldSo) {
  Fixture f(3 * kEvent);
  f.flood("a", 10);
  const EventsAfter gone = f.after("a", 6);
  EXPECT_TRUE(gone.is_purged);
  EXPECT_THAT(gone.events, IsEmpty());
  EXPECT_EQ(gone.oldest, 8u);
  EXPECT_EQ(gone.newest, 10u);
  const EventsAfter held = f.after("a", 7);
  EXPECT_FALSE(held.is_purged);
  EXPECT_THAT(counters(held), ElementsAre(8, 9, 10));
}

TEST(R_RESUME_3, AStreamOfWhichNothingIsLeftStillKnowsWhatItHasSaid) {
  Fixture f(3 * kEvent);
  f.flood("a", 3);
  f.flood("b", 3);
  EXPECT_TRUE(f.after("a", 2).is_purged);
  EXPECT_EQ(f.after("a", 2).oldest, 0u);
  EXPECT_EQ(f.after("a", 2).newest, 3u);
  EXPECT_FALSE(f.after("a", 3).is_purged);
  f.say("a");
  EXPECT_THAT(counters(f.after("a", 3)), ElementsAre(4));
}

TEST(R_RESUME_3, WhatWasSaidBeforeTheFirstStoredEventIsGone) {
  StoreBudget budget(1u << 20);
  NamedLogs store(budget);
  store.open("s", "a").append(5, budget.hold(std::string("x")), EventKind::kMessage);
  EXPECT_TRUE(store.open("s", "a").events_after(3, kAll, kAll).is_purged);
  EXPECT_FALSE(store.open("s", "a").events_after(4, kAll, kAll).is_purged);
}

}  // namespace
}  // namespace oriel::mcp
