#include "verify/verdicts.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

constexpr EventNumber kFirst{.publisher = 1, .number = 1};

JournalEvent published(Sequence sequence, EventNumber number) {
  return {.sequence = sequence, .digest = sequence, .number = number};
}

JournalEvent of_session(Sequence sequence, std::int64_t index) {
  return {.sequence = sequence,
          .digest = sequence,
          .session_id = "ses_1",
          .task_id = "task_1",
          .index = index,
          .session_digest = sequence};
}

WatchLog watch(const std::vector<Sequence>& sequences) {
  WatchLog log{.watcher = "w", .deliveries = {}, .gaps = {}};
  for (const Sequence sequence : sequences)
    log.deliveries.push_back({.sequence = sequence, .digest = sequence});
  return log;
}

Ledger acknowledged(Sequence sequence) {
  return {.events = {{.number = kFirst, .sequence = sequence}}, .messages = {}};
}

Ledger acknowledged_task() {
  return {.events = {}, .messages = {{.session_id = "ses_1", .task_id = "task_1"}}};
}

TEST(Verdicts, AnAcknowledgedEventIsStoredOnceUnderItsSequence) {
  EXPECT_TRUE(judge_loss(acknowledged(5), {published(5, kFirst)}).is_kept());
  EXPECT_EQ(judge_loss(acknowledged(5), {}).examples,
            Texts{"event 1 of publisher 1 was acknowledged and is lost"});
  EXPECT_EQ(judge_loss(acknowledged(5), {published(6, kFirst)}).examples,
            Texts{"event 1 of publisher 1 was acknowledged as 5 and is 6"});
  EXPECT_EQ(judge_loss(acknowledged(5), {published(5, kFirst), published(6, kFirst)}).examples,
            Texts{"event 1 of publisher 1 is stored 2 times"});
}

TEST(Verdicts, ARefusedEventIsNotStored) {
  Ledger ledger = acknowledged(5);
  ledger.refused = {{.publisher = 1, .number = 2}};
  EXPECT_TRUE(judge_loss(ledger, {published(5, kFirst)}).is_kept());
  EXPECT_EQ(
      judge_loss(ledger, {published(5, kFirst), published(6, ledger.refused.front())}).examples,
      Texts{"event 2 of publisher 1 was refused and is stored"});
}

TEST(Verdicts, NodesHaveTheSameEvents) {
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1)};
  const auto judge = [&](const std::vector<JournalEvent>& other) {
    return judge_agreement({{.node = "n1", .events = journal}, {.node = "n2", .events = other}});
  };
  EXPECT_TRUE(judge(journal).is_kept());
  EXPECT_EQ(judge({of_session(1, 0)}).examples,
            Texts{"n2 has 1 events, n1 has 2; the first 1 are the same"});
  std::vector<JournalEvent> changed = journal;
  changed[0].digest = 99;
  EXPECT_EQ(judge(changed).examples, Texts{"n2 has 2 events, n1 has 2; the first 0 are the same"});
  EXPECT_FALSE(judge_agreement({{.node = "n1", .events = {}}}).is_kept()) << "nothing to compare";
}

TEST(Verdicts, InterruptedTasksAreCounted) {
  PolledSession session{.session_id = "ses_1", .events = {{.index = 0, .ended_task = "task_1"}}};
  EXPECT_EQ(judge_tasks(acknowledged_task(), {session}).summary, "1 tasks in 1 sessions");
  session.events[0].was_interrupted = true;
  EXPECT_EQ(judge_tasks(acknowledged_task(), {session}).summary,
            "1 tasks in 1 sessions, 1 interrupted");
}

TEST(Verdicts, AnEventWithoutAcknowledgementMayBeStoredOrNot) {
  const EventNumber other{.publisher = 1, .number = 2};
  EXPECT_TRUE(judge_loss(acknowledged(5), {published(5, kFirst), published(6, other)}).is_kept());
}

TEST(Verdicts, AnAcknowledgedMessageHasItsTask) {
  EXPECT_TRUE(judge_loss(acknowledged_task(), {of_session(1, 0)}).is_kept());
  EXPECT_EQ(judge_loss(acknowledged_task(), {}).broken, 1u);
}

TEST(Verdicts, AMessageThatWasSentAgainIsStoredOnce) {
  std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1)};
  journal[0].request_id = "r1";
  journal[1].request_id = "r2";
  EXPECT_TRUE(judge_loss(acknowledged_task(), journal).is_kept());
  journal[1].request_id = "r1";
  EXPECT_EQ(judge_loss(acknowledged_task(), journal).examples,
            Texts{"message r1 of ses_1 is stored 2 times"});
}

TEST(Verdicts, TheTaskOfAnAcknowledgedMessageEndsOnce) {
  PolledSession session{.session_id = "ses_1", .events = {{.index = 0}}};
  EXPECT_EQ(judge_tasks(acknowledged_task(), {session}).examples,
            Texts{"task_1 of ses_1 has not ended"});
  session.events.push_back({.index = 1, .ended_task = "task_1"});
  session.events.push_back({.index = 2, .ended_task = "task_2"});
  EXPECT_TRUE(judge_tasks(acknowledged_task(), {session}).is_kept());
  session.events.push_back({.index = 3, .ended_task = "task_1"});
  EXPECT_EQ(judge_tasks(acknowledged_task(), {session}).examples,
            Texts{"task_1 of ses_1 has ended 2 times"});
}

TEST(Verdicts, WithoutAnythingToCheckNothingIsProven) {
  EXPECT_FALSE(judge_loss({}, {}).is_kept());
  EXPECT_FALSE(judge_gaps({}, {}).is_kept());
  EXPECT_FALSE(judge_tasks({}, {}).is_kept());
  EXPECT_FALSE(judge_stops({}, milliseconds(1)).is_kept());
}

TEST(Verdicts, AWatcherReceivesTheWholeJournal) {
  const std::vector<JournalEvent> journal = {published(1, kFirst), of_session(2, 0)};
  EXPECT_TRUE(judge_delivery({watch({1, 2})}, {}, journal).is_kept());
  EXPECT_FALSE(judge_delivery({watch({1})}, {}, journal).is_kept());
  EXPECT_FALSE(judge_delivery({watch({1, 1, 2})}, {}, journal).is_kept());
}

TEST(Verdicts, AGapDoesNotExcuseWhatTheJournalStillHas) {
  WatchLog log = watch({1, 3});
  log.gaps.push_back({.position = 1, .missed = 1});
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1), of_session(3, 2)};
  EXPECT_EQ(judge_delivery({log}, {}, journal).examples,
            Texts{"w: a gap hides 1 events that the journal has"});
}

TEST(Verdicts, AGapWhereNothingIsMissingIsWrong) {
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1)};
  WatchLog log = watch({1, 2});
  log.gaps.push_back({.position = 1, .missed = 3});
  const Texts wrong = {"w: a gap of 3 events after 1, where 0 are missing"};
  EXPECT_EQ(judge_delivery({log}, {}, journal).examples, wrong);
  PushLog push{.log = watch({}), .session_id = "ses_1"};
  push.log.deliveries = {{.sequence = 1, .digest = 0}, {.sequence = 2, .digest = 1}};
  EXPECT_TRUE(judge_delivery({}, {push}, journal).is_kept());
  push.log.gaps = log.gaps;
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples, wrong);
  push.log.deliveries.clear();
  EXPECT_EQ(judge_delivery({log}, {push}, journal).broken, 2u) << "without any event";
}

TEST(Verdicts, AGapThatMcpAnnouncesDoesNotExcuseWhatTheJournalStillHas) {
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1), of_session(3, 2)};
  PushLog push{.log = watch({}), .session_id = "ses_1"};
  push.log.deliveries = {{.sequence = 1, .digest = 0}, {.sequence = 3, .digest = 2}};
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples, Texts{"w: 2 to 2 missing after 1"});
  push.log.gaps = {{.position = 1, .missed = 1}};
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples,
            Texts{"w: a gap hides 1 events that the journal has"});
}

TEST(Verdicts, PushesCoverTheSessionFromTheFirstOnUntilTheClientSessionEnds) {
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1),
                                             published(3, kFirst), of_session(4, 2)};
  PushLog push{.log = watch({}), .session_id = "ses_1", .is_ended = true};
  push.log.deliveries = {{.sequence = 2, .digest = 1}};
  EXPECT_TRUE(judge_delivery({}, {push}, journal).is_kept());
  push.is_ended = false;
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples, Texts{"w: 4 to 4 missing after 2"});
  push.log.deliveries.push_back({.sequence = 4, .digest = 2});
  EXPECT_TRUE(judge_delivery({}, {push}, journal).is_kept());
}

TEST(Verdicts, PushesCoverTheSessionFromTheBeginningOfItsWatchOn) {
  const std::vector<JournalEvent> journal = {of_session(1, 0), of_session(2, 1), of_session(3, 2)};
  PushLog push{.log = watch({}), .session_id = "ses_1", .after_index = 0};
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples, Texts{"w: 2 to 3 missing after 0"});
  push.log.deliveries = {{.sequence = 3, .digest = 2}};
  EXPECT_EQ(judge_delivery({}, {push}, journal).examples, Texts{"w: 2 to 2 missing after 0"});
  push.after_index = 1;
  EXPECT_TRUE(judge_delivery({}, {push}, journal).is_kept());
  push.is_ended = true;
  push.log.deliveries.clear();
  EXPECT_EQ(judge_delivery({}, {push}, journal).broken, 0u);
}

TEST(Verdicts, IndexesAreDenseInTheJournalAndInPolling) {
  const PolledSession both{.session_id = "ses_1",
                           .events = {{.index = 0, .digest = 1}, {.index = 1, .digest = 2}}};
  EXPECT_TRUE(judge_indexes({both}, {of_session(1, 0), of_session(2, 1)}).is_kept());
  EXPECT_EQ(judge_indexes({both}, {of_session(1, 0), of_session(2, 2)}).examples,
            Texts{"ses_1: the journal has 2 after 0"});
  EXPECT_EQ(judge_indexes({both}, {of_session(1, 0), of_session(3, 1)}).examples,
            Texts{"ses_1: 1 differs from the journal"});
  const PolledSession hole{.session_id = "ses_1",
                           .events = {{.index = 0, .digest = 1}, {.index = 2, .digest = 2}}};
  EXPECT_EQ(judge_indexes({hole}, {}).examples, Texts{"ses_1: polling returned 2 after 0"});
  const PolledSession first{.session_id = "ses_1", .events = {{.index = 0, .digest = 1}}};
  EXPECT_EQ(judge_indexes({first}, {of_session(1, 0), of_session(2, 1)}).examples,
            Texts{"ses_1: polling lacks 1"});
}

TEST(Verdicts, RemovedEventsAreAnnounced) {
  WatchLog log = watch({1, 2, 5});
  EXPECT_EQ(judge_gaps({log}, {1, 2, 3, 4, 5}).broken, 1u);
  log.gaps.push_back({.position = 2, .missed = 2});
  EXPECT_TRUE(judge_gaps({log}, {1, 2, 3, 4, 5}).is_kept());
  log.gaps.front().missed = 3;
  EXPECT_EQ(judge_gaps({log}, {1, 2, 3, 4, 5}).broken, 1u);
}

TEST(Verdicts, MemoryHasALimit) {
  EXPECT_TRUE(judge_memory({100, 200}, 200).is_kept());
  EXPECT_EQ(judge_memory({100, 201}, 200).broken, 1u);
}

TEST(Verdicts, AStopIsInTimeCleanAndLeavesNothing) {
  const ServerEnd clean{.was_stopped = true,
                        .exit = "exit code 0",
                        .is_success = true,
                        .duration = milliseconds(100),
                        .left = {}};
  EXPECT_TRUE(judge_stops({clean}, milliseconds(100)).is_kept());
  EXPECT_FALSE(judge_stops({clean}, milliseconds(99)).is_kept());
  ServerEnd failed = clean;
  failed.is_success = false;
  EXPECT_FALSE(judge_stops({failed}, milliseconds(100)).is_kept());
  ServerEnd leaving = clean;
  leaving.left = {"process 42"};
  EXPECT_FALSE(judge_stops({leaving}, milliseconds(100)).is_kept());
  ServerEnd unasked = clean;
  unasked.was_stopped = false;
  EXPECT_FALSE(judge_stops({clean, unasked}, milliseconds(100)).is_kept());
}

TEST(Verdicts, OnlyTheFirstExamplesAreKept) {
  Verdict verdict;
  for (int i = 0; i < 100; ++i)
    verdict.fail(std::to_string(i));
  EXPECT_EQ(verdict.broken, 100u);
  EXPECT_EQ(verdict.examples, (Texts{"0", "1", "2", "3", "4"}));
}

}  // namespace
}  // namespace oriel
