#include "supervisor/sessions/record_draft.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

const std::string kPassword = "swordfish-42";
const std::string kMaskedPassword = "[redacted:PASSWORD]";

UnstoredStep step_of(EventPayload payload) {
  UnstoredStep step;
  step.events.push_back({.session_id = "ses_1",
                         .project_id = {},
                         .task_id = {},
                         .timestamp = {},
                         .payload = std::move(payload)});
  return step;
}

RecordDraft draft_of(std::vector<UnstoredStep> steps) {
  RecordDraft draft;
  std::list<UnstoredStep> added(steps.begin(), steps.end());
  draft.add(added);
  return draft;
}

TEST(R_TRUTH_3, JoinedTextAndItsTurnAreMaskedBeforeTheyAreSerialized) {
  UnstoredStep step = step_of(event::AssistantMessage{.number = 1, .text = kPassword});
  step.turns.emplace_back().text = kPassword;
  step.redactor = std::make_shared<const Redactor>(
      std::vector<SecretValue>{{.name = "PASSWORD", .value = kPassword}});
  RecordDraft draft = draft_of({step});
  draft.serialize();
  const Proposal batch = draft.batch();
  ASSERT_THAT(batch.records, SizeIs(1));
  ASSERT_THAT(batch.documents, SizeIs(1));
  EXPECT_THAT(batch.records.front()->body, HasSubstr(kMaskedPassword));
  EXPECT_THAT(batch.documents.front().value, HasSubstr(kMaskedPassword));
}

TEST(RecordDraft, WhatIsSerializedStaysAsItIs) {
  RecordDraft draft = draft_of({step_of(event::Notice{.text = "one"})});
  draft.serialize();
  const NewRecords first = draft.batch().records;
  std::list<UnstoredStep> more{step_of(event::Notice{.text = "two"})};
  draft.add(more);
  draft.serialize();
  const NewRecords both = draft.batch().records;
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both.front(), first.front());
  EXPECT_THAT(both.back()->body, HasSubstr("two"));
}

TEST(RecordDraft, KnowsHowMuchIsLeftToDo) {
  const std::string text(100'000, 'x');
  RecordDraft draft = draft_of({step_of(event::AssistantDelta{.number = 1, .text = text})});
  EXPECT_GE(draft.unserialized_bytes(), text.size());
  draft.serialize();
  EXPECT_EQ(draft.unserialized_bytes(), 0U);
  EXPECT_FALSE(draft.is_empty());
}

TEST(RecordDraft, PiecesAloneDoNotChangeTheState) {
  const UnstoredStep piece = step_of(event::AssistantDelta{.number = 1, .text = "a"});
  RecordDraft pieces = draft_of({piece, piece});
  EXPECT_FALSE(pieces.changes_state());
  pieces.serialize();
  EXPECT_FALSE(pieces.changes_state());

  RecordDraft draft = draft_of({piece, step_of(event::Notice{.text = "one"})});
  EXPECT_TRUE(draft.changes_state());
  draft.serialize();
  EXPECT_TRUE(draft.changes_state());
}

}  // namespace
}  // namespace oriel
