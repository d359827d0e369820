#include "base/text/visible.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_TRUTH_1, PlainTextIsShownAsItIs) {
  EXPECT_EQ(visible(""), "");
  EXPECT_EQ(visible("grüße, 世界 🙂 a  b"), "grüße, 世界 🙂 a  b");
}

TEST(R_TRUTH_1, ControlAndDirectionCharactersAreVisible) {
  EXPECT_EQ(visible("a\x1b[2J\r\nb\x7f"), "a⟨U+001B⟩[2J⟨U+000D⟩⟨U+000A⟩b⟨U+007F⟩");
  EXPECT_EQ(visible("rm \u202e/ \u2066x\u2069\u061c"), "rm ⟨U+202E⟩/ ⟨U+2066⟩x⟨U+2069⟩⟨U+061C⟩");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a⟨U+0000⟩b");
}

TEST(R_TRUTH_1, WhatHasNoInkOrLooksLikeASpaceIsVisible) {
  EXPECT_EQ(visible("a\u00a0b\u200b\u2800\u3000\u3164"),
            "a⟨U+00A0⟩b⟨U+200B⟩⟨U+2800⟩⟨U+3000⟩⟨U+3164⟩");
  EXPECT_EQ(visible("\U000e0041\U0010fffd\ue000\ufe0f"), "⟨U+E0041⟩⟨U+10FFFD⟩⟨U+E000⟩⟨U+FE0F⟩");
  EXPECT_EQ(visible("a\tb"), "a⇥   b");
}

TEST(R_TRUTH_1, TheFirstAndLastOfARangeAreHiddenAndTheirNeighboursAreNot) {
  EXPECT_EQ(visible("\u1fff\u2000\u200f\u2010"), "\u1fff⟨U+2000⟩⟨U+200F⟩\u2010");
  EXPECT_EQ(visible("~\u00a1"), "~\u00a1");
}

TEST(R_TRUTH_1, BytesThatAreNotUtf8AreVisible) {
  EXPECT_EQ(visible("a\x9c\xff"), "a⟨0x9C⟩⟨0xFF⟩");
}

}  // namespace
}  // namespace oriel
