#include "supervisor/observers/observed_outbox.h"

#include "base/event/turn_event.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

Turn turn_of(const std::string& turn_id, const std::string& text) {
  Turn turn;
  turn.turn_id = turn_id;
  turn.session_id = "a";
  turn.text = text;
  return turn;
}

ObservedState state_of(std::uint64_t offset) {
  ObservedState state;
  state.session_id = "a";
  state.transcript.position.offset = offset;
  return state;
}

TEST(ObservedOutbox, StepsAreStoredTogetherWithTheStateAfterThem) {
  ObservedOutbox outbox;
  EXPECT_TRUE(outbox.is_empty());
  ObservedStep first;
  first.events = {turn_created_event(turn_of("t1", "one"))};
  first.turns = {turn_of("t1", "one"), turn_of("t2", "two")};
  first.is_changed = true;
  outbox.put(std::move(first), state_of(10));
  ObservedStep second;
  second.turns = {turn_of("t1", "one, corrected")};
  second.withdrawn = {"t2"};
  outbox.put(std::move(second), state_of(20));

  const Proposal batch = outbox.take();
  EXPECT_TRUE(outbox.is_empty());
  EXPECT_EQ(batch.records.size(), 1U);
  ASSERT_EQ(batch.documents.size(), 3U);
  EXPECT_EQ(batch.documents[0].key, "observed/a");
  EXPECT_EQ(parse_observed_document(batch.documents[0].value)->transcript.position.offset, 20U);
  EXPECT_EQ(parse_turn_document(batch.documents[1].value)->text, "one, corrected");
  EXPECT_EQ(batch.documents[2], (Document{.key = "turns/a/t2", .value = ""}));
}

TEST(ObservedOutbox, AStateThatHasNotChangedIsNotStored) {
  ObservedOutbox outbox;
  outbox.put({}, state_of(10));
  EXPECT_TRUE(outbox.is_empty());
}

}  // namespace
}  // namespace oriel
