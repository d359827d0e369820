#include "session/assistant_text.h"

#include "base/event/agent_event.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr SteadyTime kStart(1h);

TEST(R_LIVE_4, PiecesOfAMessageShareItsNumber) {
  AssistantText text;
  EXPECT_EQ(text.add("a", "one", kStart), 1U);
  EXPECT_EQ(text.add("b", "two", kStart), 2U);
  EXPECT_EQ(text.add("a", "more", kStart), 1U);
}

TEST(R_LIVE_4, AGrowingTextIsShownOnceInEveryInterval) {
  AssistantText text;
  text.add("a", "x", kStart);
  EXPECT_EQ(text.next_due(), kStart + 250ms);
  EXPECT_EQ(text.due(kStart + 249ms), std::nullopt);
  EXPECT_EQ(text.due(kStart + 250ms), (ShownMessage{1, "x"}));
  EXPECT_EQ(text.next_due(), std::nullopt);
  text.add("a", "y", kStart + 251ms);
  EXPECT_EQ(text.next_due(), kStart + 500ms);
  EXPECT_EQ(text.due(kStart + 499ms), std::nullopt);
  EXPECT_EQ(text.due(kStart + 500ms), (ShownMessage{1, "xy"}));
}

TEST(R_LIVE_4, ATextThatDidNotGrowIsNotShownAgain) {
  AssistantText text;
  text.add("a", "x", kStart);
  EXPECT_THAT(text.flush(kStart), ElementsAre(ShownMessage{1, "x"}));
  EXPECT_THAT(text.flush(kStart + 1s), IsEmpty());
  EXPECT_EQ(text.due(kStart + 1s), std::nullopt);
  EXPECT_EQ(text.finish("a", "x", kStart + 1s), std::nullopt);
  EXPECT_THAT(text.finish_all(kStart + 1s), IsEmpty());
}

TEST(R_LIVE_4, PiecesThatAreTakenBackMakeTheSameTextNewsAgain) {
  AssistantText text;
  text.add("a", "x", kStart);
  text.flush(kStart);
  text.add("a", "y", kStart);
  EXPECT_EQ(text.finish("a", "x", kStart), (ShownMessage{1, "x"}));
  text.add("b", "x", kStart);
  EXPECT_THAT(text.drop("", kStart), ElementsAre(ShownMessage{2, ""}));
  text.add("b", "y", kStart);
  EXPECT_THAT(text.drop("", kStart), ElementsAre(ShownMessage{2, ""}));
}

TEST(R_LIVE_4, TheIntervalCountsFromTheLastShowingWhateverItsCause) {
  AssistantText text;
  text.add("a", "x", kStart);
  text.flush(kStart + 200ms);
  text.add("a", "y", kStart + 201ms);
  EXPECT_EQ(text.next_due(), kStart + 450ms);
  text.finish("a", "xy", kStart + 300ms);
  text.add("b", "z", kStart + 301ms);
  EXPECT_EQ(text.next_due(), kStart + 551ms);
}

TEST(R_LIVE_4, MessagesThatGrowSideBySideAreShownInTurns) {
  AssistantText text;
  text.add("a", "1", kStart);
  text.add("b", "2", kStart + 1ms);
  EXPECT_EQ(text.due(kStart + 260ms), (ShownMessage{1, "1"}));
  text.add("a", "1", kStart + 270ms);
  EXPECT_EQ(text.due(kStart + 300ms), std::nullopt);
  EXPECT_EQ(text.due(kStart + 510ms), (ShownMessage{2, "2"}));
  EXPECT_EQ(text.due(kStart + 760ms), (ShownMessage{1, "11"}));
}

TEST(R_LIVE_4, ATextIsShownAgainOnlyWhenItHasGrownByAQuarter) {
  AssistantText text;
  text.add("a", std::string(1000, 'x'), kStart);
  ASSERT_TRUE(text.due(kStart + 1s));
  text.add("a", std::string(249, 'y'), kStart + 2s);
  EXPECT_EQ(text.next_due(), std::nullopt);
  EXPECT_EQ(text.due(kStart + 10s), std::nullopt);
  text.add("a", "z", kStart + 11s);
  EXPECT_EQ(text.next_due(), kStart + 1250ms);
  EXPECT_TRUE(text.due(kStart + 11s));
}

TEST(R_LIVE_4, AllShowingsOfALongAnswerAreShorterThanSixTimesItsText) {
  constexpr std::size_t kLength = 12 << 20;
  const std::string piece(100, 'x');
  AssistantText text;
  SteadyTime now = kStart;
  std::size_t shown = 0;
  std::size_t length = 0;
  // So slow that every piece would be due by time.
  for (; length < kLength; length += piece.size(), now += 250ms) {
    text.add("a", piece, now);
    if (const auto message = text.due(now)) shown += message->text.size();
  }
  const auto last = text.finish("a", std::string(length, 'x'), now);
  if (last) shown += last->text.size();
  EXPECT_LT(shown, 6 * length);
  EXPECT_EQ(text.last_text().size(), length);
}

TEST(R_LIVE_4, ALongTextIsShownBeforeOtherEventsWhenItHasGrownByAQuarter) {
  AssistantText text;
  std::string so_far(80'000, 'x');
  const auto add = [&](std::size_t bytes) {
    so_far += std::string(bytes, 'y');
    text.add("a", std::string(bytes, 'y'), kStart);
  };
  text.add("a", so_far, kStart);
  EXPECT_THAT(text.flush(kStart), ElementsAre(ShownMessage{1, so_far}));
  add(19'999);
  EXPECT_THAT(text.flush(kStart), IsEmpty());
  add(1);
  EXPECT_THAT(text.flush(kStart), ElementsAre(ShownMessage{1, so_far}));
}

TEST(R_LIVE_4, ATextOf64KibIsShownBeforeOtherEventsHoweverLittleItHasGrown) {
  AssistantText text;
  std::string so_far((64 << 10) - 1, 'x');
  text.add("a", so_far, kStart);
  text.flush(kStart);
  text.add("a", "y", kStart);
  so_far += 'y';
  EXPECT_THAT(text.flush(kStart), ElementsAre(ShownMessage{1, so_far}));
}

TEST(R_LIVE_4, ALongTextIsShownWholeAtTheEnd) {
  AssistantText text;
  const std::string long_text(80'000, 'x');
  text.add("a", long_text, kStart);
  text.flush(kStart);
  text.add("a", "y", kStart);
  EXPECT_THAT(text.flush(kStart), IsEmpty());
  EXPECT_THAT(text.finish_all(kStart), ElementsAre(ShownMessage{1, long_text + "y"}));
  EXPECT_EQ(text.last_text(), long_text + "y");
}

TEST(AssistantText, WhatAFinishedMessageSaysCountsWhateverItsPiecesWere) {
  AssistantText text;
  text.add("a", "helo", kStart);
  text.flush(kStart);
  EXPECT_EQ(text.finish("a", "hello", kStart), (ShownMessage{1, "hello"}));
  EXPECT_EQ(text.last_text(), "hello");
}

TEST(AssistantText, AMessageMayComeWholeWithoutPieces) {
  AssistantText text;
  EXPECT_EQ(text.finish("a", "hello", kStart), (ShownMessage{1, "hello"}));
  EXPECT_EQ(text.finish("b", "world", kStart), (ShownMessage{2, "world"}));
  EXPECT_EQ(text.last_text(), "world");
}

TEST(AssistantText, ARepetitionOfAWholeMessageIsIgnored) {
  AssistantText text;
  text.finish("a", "hello", kStart);
  EXPECT_EQ(text.finish("a", "hello", kStart), std::nullopt);
  EXPECT_EQ(text.finish("a", "other", kStart), std::nullopt);
  EXPECT_EQ(text.last_text(), "hello");
}

TEST(AssistantText, AnIdThatIsUsedAgainForNewPiecesIsANewMessage) {
  AssistantText text;
  text.finish("a", "before the tool", kStart);
  EXPECT_EQ(text.add("a", "aft", kStart), 2U);
  EXPECT_EQ(text.finish("a", "after", kStart), (ShownMessage{2, "after"}));
}

TEST(AssistantText, DroppedPiecesAreShownEmptyAndTheNextAttemptReplacesThem) {
  AssistantText text;
  text.add("a", "first try", kStart);
  EXPECT_THAT(text.drop("a", kStart), ElementsAre(ShownMessage{1, ""}));
  EXPECT_THAT(text.drop("a", kStart), IsEmpty());
  EXPECT_EQ(text.add("a", "second", kStart), 1U);
  EXPECT_EQ(text.finish("a", "second", kStart), (ShownMessage{1, "second"}));
}

TEST(AssistantText, DroppingAllSparesWhatIsFinished) {
  AssistantText text;
  text.finish("a", "whole", kStart);
  text.add("b", "part", kStart);
  text.add("c", "part", kStart);
  EXPECT_THAT(text.drop("", kStart), ElementsAre(ShownMessage{2, ""}, ShownMessage{3, ""}));
  EXPECT_THAT(text.finish_all(kStart), IsEmpty());
  EXPECT_EQ(text.last_text(), "whole");
}

TEST(AssistantText, DroppedTextIsNoAnswerThoughItWasShown) {
  AssistantText text;
  text.add("a", "void", kStart);
  text.flush(kStart);
  text.drop("", kStart);
  text.finish_all(kStart);
  EXPECT_EQ(text.last_text(), "");
}

TEST(AssistantText, PartsAreTheAnswerWhenTheTaskEnds) {
  AssistantText text;
  text.add("a", "part", kStart);
  EXPECT_THAT(text.finish_all(kStart), ElementsAre(ShownMessage{1, "part"}));
  EXPECT_EQ(text.last_text(), "part");
  EXPECT_EQ(text.next_due(), std::nullopt);
}

TEST(AssistantText, AMessageWithoutAnEndIsKeptUpToALimit) {
  AssistantText text;
  const std::string half(kMaxMessageBytes / 2, 'x');
  text.add("a", half, kStart);
  text.add("a", half, kStart);
  EXPECT_EQ(text.add("a", "beyond", kStart), 1U);
  const auto shown = text.finish_all(kStart);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].text.size(), kMaxMessageBytes);
  EXPECT_EQ(text.last_text().size(), kMaxMessageBytes);
}

TEST(AssistantText, AMessageThatEndsIsWholeHoweverLong) {
  AssistantText text;
  const std::string whole(kMaxMessageBytes + 1, 'x');
  text.add("a", whole.substr(0, kMaxMessageBytes), kStart);
  text.add("a", "x", kStart);
  const auto shown = text.finish("a", whole, kStart);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->text.size(), whole.size());
}

}  // namespace
}  // namespace oriel
