#include "verify/evidence.h"

#include "base/text/json_access.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr const char* kEpoch = "k7q2mzx4c0v8b1tn";

SseEvent event(Sequence sequence, std::string type, std::string data) {
  return {.id = std::to_string(sequence) + "-" + kEpoch,
          .event = std::move(type),
          .data = std::move(data)};
}

TEST(Evidence, APublishedEventIsFoundAgainByItsNumber) {
  const EventNumber number{.publisher = 3, .number = 7};
  const auto stored = read_journal_event(event(42, "verify", numbered_event_body(number, 10)));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->sequence, 42u);
  EXPECT_EQ(stored->number, number);
  EXPECT_EQ(stored->session_id, "");
}

TEST(Evidence, AnEventOfAHostedSessionHasItsIndexAndTask) {
  const auto stored = read_journal_event(
      event(42, "session_event", R"({"index":5,"session_id":"ses_1","task_id":"task_1"})"));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->session_id, "ses_1");
  EXPECT_EQ(stored->task_id, "task_1");
  EXPECT_EQ(stored->index, 5);
  EXPECT_EQ(stored->number, std::nullopt);
}

TEST(Evidence, OnlyTheMessageOfAUserHasARequest) {
  const auto request_of = [](const std::string& facts) {
    return read_journal_event(event(1, "message", R"({"session_id":"ses_1",)" + facts + "}"))
        ->request_id;
  };
  EXPECT_EQ(request_of(R"("type":"message","role":"user","data":{"request_id":"r1"})"), "r1");
  EXPECT_EQ(request_of(R"("type":"turn_created","role":"user","data":{"request_id":"r1"})"), "");
}

TEST(Evidence, APolledCompletionEndsItsTask) {
  const PolledEvent completion =
      read_polled_event(parse_object(R"({"index":7,"type":"completion","task_id":"task_1"})"));
  EXPECT_EQ(completion.index, 7);
  EXPECT_EQ(completion.ended_task, "task_1");
  EXPECT_EQ(read_polled_event(parse_object(R"({"type":"delta","task_id":"task_1"})")).ended_task,
            "");
}

TEST(Evidence, HelloGapAndByeAreNoEventsOfTheJournal) {
  for (const char* type : {"hello", "gap", "bye"}) {
    EXPECT_FALSE(read_journal_event(event(1, type, "{}"))) << type;
    WatchLog log;
    note_event(log, event(1, type, "{}"));
    EXPECT_TRUE(log.deliveries.empty()) << type;
  }
}

TEST(Evidence, AWatchLogKnowsWhereAGapWasAnnounced) {
  WatchLog log;
  note_event(log, event(1, "note", "{}"));
  note_event(log, event(1, "gap", R"({"missed":4})"));
  note_event(log, event(6, "note", "{}"));
  note_event(log, event(6, "gap", R"({"missed":null})"));
  ASSERT_EQ(log.gaps.size(), 2u);
  EXPECT_EQ(log.gaps[0].position, 1u);
  EXPECT_EQ(log.gaps[0].missed, 4u);
  EXPECT_EQ(log.gaps[1].missed, std::nullopt);
  EXPECT_EQ(log.last(), 6u);
}

TEST(Evidence, APushIsAnEventOrAGap) {
  const auto push = [](WatchLog& log, const char* params) {
    note_push(log, parse_object(std::string(R"({"params":)") + params + "}"));
  };
  WatchLog log;
  push(log, R"({"data":{"type":"status"},"_meta":{"oriel/index":4,"oriel/sequence":9}})");
  push(log, R"({"data":{"type":"gap","missed":3}})");
  push(log, R"({"data":{"type":"other"}})");
  ASSERT_EQ(log.deliveries.size(), 1u);
  EXPECT_EQ(log.deliveries[0], (Delivery{.sequence = 9, .digest = 4}));
  ASSERT_EQ(log.gaps.size(), 1u);
  EXPECT_EQ(log.gaps[0].position, 1u);
  EXPECT_EQ(log.gaps[0].missed, 3u);
}

TEST(Evidence, ALogThatIsCutKeepsItsGapsAtItsEnd) {
  WatchLog log;
  for (const Sequence sequence : {1, 2, 6})
    note_event(log, event(sequence, "note", "{}"));
  note_event(log, event(6, "gap", R"({"missed":4})"));
  keep_until(log, 2);
  EXPECT_EQ(log.last(), 2u);
  EXPECT_EQ(log.gaps.at(0).position, 2u);
}

TEST(Evidence, ADigestStandsForTheTextOfAnEvent) {
  EXPECT_EQ(digest_of("a"), digest_of("a"));
  EXPECT_NE(digest_of("a"), digest_of("b"));
}

}  // namespace
}  // namespace oriel
