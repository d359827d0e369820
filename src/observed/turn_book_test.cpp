#include "observed/turn_book.h"

#include "observed/observed_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

class TurnBookTest : public testing::Test {
 protected:
  Turn turn_of(const std::string& turn_id, TurnIntent intent, const std::string& text) {
    Turn turn;
    turn.turn_id = turn_id;
    turn.task_id = "task";
    turn.actor = intent == TurnIntent::kCommand ? TurnActor::kUser : TurnActor::kAgent;
    turn.intent = intent;
    turn.text = text;
    turn.timestamp = step_.at;
    turn.ordinal = book_.take_ordinal();
    return turn;
  }

  ObservedStep finish(bool may_change) {
    ObservedStep step;
    step.events = std::move(step_.events);
    book_.finish(step, [&](const std::string&) { return may_change; });
    step_ = StepDraft(moment_at(at_ms(100)));
    return step;
  }

  TurnSummary summary_;
  TurnBook book_{summary_, {}, {}};
  StepDraft step_{moment_at(at_ms(100))};
};

TEST_F(TurnBookTest, AProvisionalTurnTakesTimeAndTextOfItsEntry) {
  WaitingTurn waiting;
  waiting.fingerprint = fingerprint("hello");
  book_.add_provisional(turn_of("t1", TurnIntent::kCommand, "hello"), waiting, step_);
  EXPECT_EQ(finish(true).turns.size(), 1U);
  TranscriptEntry entry;
  entry.id = "e1";
  entry.text = "hello ";
  SeenTurn seen;
  seen.fingerprint = fingerprint(entry.text);
  const auto bound = book_.reconciler().bind(seen);
  ASSERT_TRUE(bound);
  step_.at = at_ms(40);
  step_.entry_time = step_.at;
  book_.bind(*bound, entry, "task", step_);
  const ObservedStep step = finish(true);
  ASSERT_EQ(step.turns.size(), 1U);
  EXPECT_EQ(step.turns[0].entry_id, "e1");
  EXPECT_EQ(step.turns[0].text, "hello ");
  EXPECT_EQ(step.turns[0].timestamp, at_ms(40));
  EXPECT_EQ(step.events.size(), 2U);  // updated, detected
}

TEST_F(TurnBookTest, AWithdrawnTurnDoesNotCount) {
  book_.add(turn_of("t1", TurnIntent::kQuestion, "Which?"), step_);
  EXPECT_EQ(summary_.count, 1U);
  EXPECT_TRUE(book_.withdraw("t1", step_));
  EXPECT_FALSE(book_.withdraw("t1", step_));
  EXPECT_EQ(summary_.count, 0U);
  const ObservedStep step = finish(true);
  EXPECT_TRUE(step.turns.empty());
  EXPECT_EQ(step.withdrawn, std::vector<std::string>{"t1"});
}

TEST_F(TurnBookTest, NothingHappensToTurnsThatCannotChange) {
  book_.add(turn_of("t1", TurnIntent::kProgress, "I look."), step_);
  EXPECT_EQ(finish(false).turns.size(), 1U);
  book_.set_intent("t1", TurnIntent::kCompletion, step_);
  EXPECT_TRUE(finish(false).is_empty());
}

TEST_F(TurnBookTest, TheSummaryHasTheFirstCommandAndTheLastText) {
  book_.add(turn_of("t1", TurnIntent::kCommand, "\nfix it\nplease"), step_);
  book_.add(turn_of("t2", TurnIntent::kCommand, "again"), step_);
  book_.add(turn_of("t3", TurnIntent::kProgress, std::string(600, 'x') + "end"), step_);
  EXPECT_EQ(summary_.title, "fix it");
  EXPECT_EQ(summary_.newest_task_id, "task");
  EXPECT_EQ(summary_.last_text.size(), 500U);
  EXPECT_TRUE(summary_.last_text.ends_with("end"));
}

TEST_F(TurnBookTest, AnImportPublishesNothing) {
  step_.is_import = true;
  TranscriptEntry entry;
  entry.id = "e1";
  book_.add_found(turn_of("t1", TurnIntent::kCommand, "hello"), entry, step_);
  const ObservedStep step = finish(false);
  EXPECT_TRUE(step.events.empty());
  ASSERT_EQ(step.turns.size(), 1U);
  EXPECT_EQ(step.turns[0].source, TurnSource::kImport);
}

}  // namespace
}  // namespace oriel
