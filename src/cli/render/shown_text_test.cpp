#include "cli/render/shown_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ShownText, TheWholeTextAddsNothingToItsPieces) {
  ShownText shown;
  shown.add(1, "Hel");
  shown.add(1, "lo");
  EXPECT_EQ(shown.settle(1, "Hello").text, "");
  EXPECT_EQ(shown.settle(1, "Hel").text, "");
}

TEST(ShownText, TheWholeTextAddsMissingPieces) {
  ShownText shown;
  EXPECT_EQ(shown.settle(1, "Hello").text, "Hello");
  EXPECT_EQ(shown.settle(1, "Hello world").text, " world");
  shown.add(1, "!");
  EXPECT_EQ(shown.settle(1, "Hello world!").text, "");
}

TEST(ShownText, TextThatReplacesAnotherIsShownWhole) {
  ShownText shown;
  shown.add(1, "Good morning");
  const ShownText::Rest rest = shown.settle(1, "Good evening");
  EXPECT_EQ(rest.text, "Good evening");
  EXPECT_TRUE(rest.is_replaced);
  EXPECT_FALSE(shown.settle(1, "Good evening, all").is_replaced);
}

TEST(ShownText, MessagesAreSeparate) {
  ShownText shown;
  shown.add(1, "one");
  EXPECT_EQ(shown.settle(2, "one").text, "one");
}

}  // namespace
}  // namespace oriel
