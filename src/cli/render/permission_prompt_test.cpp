#include "cli/render/permission_prompt.h"

#include "base/text/json_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

PermissionAsked tool_permission() {
  PermissionAsked asked;
  asked.id = "perm_1";
  asked.title = "Run rm -r build";
  asked.input = json::object{{"command", "rm -r build"}};
  asked.options = {{.id = "once", .label = "Allow once", .kind = OptionKind::kAllowOnce},
                   {.id = "always", .label = "Always allow", .kind = OptionKind::kAllowAlways},
                   {.id = "no", .label = "Reject", .kind = OptionKind::kRejectOnce}};
  return asked;
}

PermissionAsked two_questions() {
  PermissionAsked asked;
  asked.id = "perm_2";
  asked.title = "Which color?";
  asked.questions = {{.text = "Which color?", .choices = {"red", "blue"}, .takes_many = false},
                     {.text = "Which sizes?", .choices = {"S", "M", "L"}, .takes_many = true}};
  return asked;
}

PermissionPrompt prompt_of(const PermissionAsked& asked) {
  return {asked, false, kAnyWidth};
}

// A permission of `count` rows.
PermissionAsked long_permission(std::size_t count) {
  PermissionAsked asked = tool_permission();
  std::string text;
  for (std::size_t i = 1; i < count; ++i)
    text += "line " + std::to_string(i) + "\n";
  asked.input = json::object{{"content", text}};
  return asked;
}

std::string body_for(const std::string& word) {
  const auto body = answer_body(tool_permission(), word);
  return body ? json_text(*body) : body.error().message;
}

TEST(PermissionPrompt, AWordIsADecisionOrAnOption) {
  for (const char* yes : {"allow", "y", "Yes"})
    EXPECT_EQ(body_for(yes), R"({"decision":"allow"})");
  for (const char* no : {"deny", "n", "no"})
    EXPECT_EQ(body_for(no), R"({"decision":"deny"})");
  for (const char* second : {"2", "always", "always ALLOW"})
    EXPECT_EQ(body_for(second), R"({"option_id":"always"})");
}

TEST(PermissionPrompt, AnotherWordIsRejectedWithThePossibleAnswers) {
  for (const char* word : {"0", "4", "-1", "maybe", ""})
    EXPECT_EQ(body_for(word), "\"" + std::string(word) + "\" is not a possible answer");
  EXPECT_EQ(answer_body(tool_permission(), "maybe").error().hint,
            "allow, deny, once (Allow once), always (Always allow), no (Reject)");
}

TEST(PermissionPrompt, ShowsTheQuestionWithNumberedOptions) {
  const PermissionPrompt prompt = prompt_of(tool_permission());
  EXPECT_EQ(prompt.heading(),
            "? Run rm -r build\n  input.command: rm -r build\n"
            "    1) Allow once\n    3) Reject\n"
            "  not only this once:\n    2) Always allow\n"
            "       allows later requests, as the agent understands \"Always allow\"\n");
  EXPECT_EQ(prompt.question(), "  Allow? [y, n, 1-3] ");
}

TEST(PermissionPrompt, AYesIsAmbiguousWithSeveralOptions) {
  PermissionAsked asked = tool_permission();
  asked.options[1].kind = OptionKind::kAllowOnce;
  EXPECT_EQ(prompt_of(asked).question(), "  Choose [1-3, n] ");
  EXPECT_TRUE(answer_body(asked, "y").has_error());
  EXPECT_EQ(json_text(answer_body(asked, "2").value()), R"({"option_id":"always"})");
  EXPECT_EQ(json_text(answer_body(asked, "n").value()), R"({"decision":"deny"})");
}

TEST(PermissionPrompt, AYesNeverMeansAnOptionThatLasts) {
  PermissionAsked asked = tool_permission();
  asked.options.erase(asked.options.begin());
  EXPECT_EQ(prompt_of(asked).question(), "  Choose [1-2, n] ");
  EXPECT_TRUE(answer_body(asked, "y").has_error());
}

TEST(R_TRUTH_1, ALastingOptionStandsApartWithWhatItAllows) {
  PermissionAsked asked = tool_permission();
  asked.options[1].scope = "Bash(rm *)\nany \u202edirectory";
  EXPECT_TRUE(prompt_of(asked).heading().ends_with(
      "    3) Reject\n  not only this once:\n    2) Always allow\n"
      "       allows Bash(rm *)\n       allows any ⟨U+202E⟩directory\n"));
}

TEST(R_TRUTH_1, ATerminalShowsNoControlCharacters) {
  PermissionAsked asked = tool_permission();
  asked.title = "a\x1b[2J\nb";
  asked.options[0].label = "\x1b]0;x";
  const std::string shown = prompt_of(asked).heading();
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_TRUE(shown.starts_with("? a⟨U+001B⟩[2J…\n  title:\n    │ a⟨U+001B⟩[2J\n    │ b\n"))
      << shown;
}

TEST(R_TRUTH_1, WhatFitsIsShownAtOnce) {
  const std::string shown = prompt_of(long_permission(kFoldRows)).heading();
  EXPECT_NE(shown.find("    │ line 39\n    1) Allow once\n"), std::string::npos) << shown;
}

TEST(R_TRUTH_1, AllOfALongPermissionIsShownBeforeItCanBeAllowed) {
  PermissionPrompt prompt = prompt_of(long_permission(kFoldRows + 2));
  EXPECT_TRUE(prompt.heading().ends_with("    │ line 39\n  2 more lines: m shows them\n"));
  EXPECT_EQ(prompt.question(), "  Allow? [m, n] ");
  for (const char* yes : {"y", "allow", "1", "2", "Always allow"}) {
    const auto refused = prompt.take(yes);
    EXPECT_FALSE(refused.body) << yes;
    EXPECT_EQ(refused.text, "  2 more lines: m shows them, then it can be allowed\n");
  }
  const auto more = prompt.take("m\n");
  EXPECT_FALSE(more.body);
  EXPECT_TRUE(more.text.starts_with("    │ line 40\n    │ line 41\n    1) Allow once\n"));
  EXPECT_EQ(prompt.question(), "  Allow? [y, n, 1-3] ");
  EXPECT_EQ(json_text(prompt.take("y").body.value()), R"({"decision":"allow"})");
}

TEST(R_TRUTH_1, ALongPermissionCanBeDeniedUnread) {
  for (const char* no : {"n", "deny", "3"})
    EXPECT_TRUE(prompt_of(long_permission(100)).take(no).body) << no;
}

TEST(R_TRUTH_1, TheTextOfAPermissionHasEveryRow) {
  const std::string text = permission_text(long_permission(10'000), false, kAnyWidth);
  EXPECT_NE(text.find("    │ line 9999\n    1) Allow once\n"), std::string::npos);
  EXPECT_EQ(text.find("more line"), std::string::npos);
}

TEST(R_TRUTH_1, AQuestionIsNotFolded) {
  PermissionAsked asked = two_questions();
  asked.input = long_permission(100).input;
  EXPECT_NE(prompt_of(asked).heading().find("    │ line 99\n    1) red\n"), std::string::npos);
}

TEST(PermissionPrompt, AsksAgainUntilTheAnswerIsPossible) {
  PermissionPrompt prompt = prompt_of(tool_permission());
  EXPECT_FALSE(prompt.take("\n").body);
  const auto wrong = prompt.take("7\n");
  EXPECT_FALSE(wrong.body);
  EXPECT_EQ(wrong.text, "  \"7\" is not a possible answer\n");
  EXPECT_EQ(json_text(prompt.take(" 1 \n").body.value()), R"({"option_id":"once"})");
}

TEST(PermissionPrompt, AsksOneQuestionAfterTheOther) {
  PermissionPrompt prompt = prompt_of(two_questions());
  EXPECT_EQ(prompt.heading(), "? Which color?\n    1) red\n    2) blue\n");
  EXPECT_EQ(prompt.question(), "  Answer [1-2, or words]: ");
  const auto first = prompt.take("2\n");
  EXPECT_FALSE(first.body);
  EXPECT_EQ(first.text, "  Which sizes?\n    1) S\n    2) M\n    3) L\n");
  EXPECT_EQ(prompt.question(), "  Answer [numbers with commas, or words]: ");
  EXPECT_EQ(json_text(prompt.take("1, 3,XL\n").body.value()), R"({"answers":["blue","S, L, XL"]})");
}

TEST(PermissionPrompt, AQuestionIsAnsweredInWordsOrDenied) {
  PermissionAsked asked = two_questions();
  asked.questions = {{.text = "Why?", .choices = {}, .takes_many = false}};
  EXPECT_EQ(prompt_of(asked).question(), "  Answer: ");
  EXPECT_EQ(json_text(answers_body(asked, {"1"}).value()), R"({"answers":["1"]})");
  EXPECT_EQ(json_text(answer_body(asked, "deny").value()), R"({"decision":"deny"})");
  EXPECT_TRUE(answer_body(asked, "allow").has_error());
}

TEST(PermissionPrompt, EachQuestionNeedsItsAnswer) {
  EXPECT_EQ(answers_body(two_questions(), {"red"}).error().message,
            "it asks 2 questions, but 1 answer is given");
  EXPECT_EQ(answers_body(tool_permission(), {"a", "b"}).error().message,
            "it asks 0 questions, but 2 answers are given");
}

}  // namespace
}  // namespace oriel
