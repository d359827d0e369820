#include "session/permission_book.h"

#include "session/session_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Moment kNow{.wall = WallTime(1h), .steady = SteadyTime(1h)};

PermissionAsked asked(const std::string& id) {
  return {.id = id,
          .tool_call_id = "",
          .title = "Which?",
          .input = nullptr,
          .options = {},
          .questions = {{.text = "Which colour?", .choices = {"red", "blue"}, .takes_many = false},
                        {.text = "Why?", .choices = {}, .takes_many = false}}};
}

PermissionAsked only(OptionKind kind) {
  PermissionAsked asked = ask_to("p", "do");
  asked.options = {{.id = "it", .label = "It", .kind = kind}};
  return asked;
}

Decision choose(const std::string& option) {
  return {.is_allowed = {}, .option_id = option, .answers = {}, .by = "ann"};
}

Decision reply(std::vector<std::string> answers) {
  return {.is_allowed = {}, .option_id = {}, .answers = std::move(answers), .by = "ann"};
}

// What a decision on a single permission comes to: "status option", or the error's code.
std::string decide(const PermissionAsked& asked, const Decision& decision) {
  PermissionBook book;
  const auto resolution = book.decide(book.ask(asked, kNow, 0ms).permission_id, decision);
  if (!resolution) return std::string(code_of(resolution.error().kind));
  return std::string(name_of(resolution->status)) + " " + resolution->answer.option_id;
}

TEST(PermissionBook, YesAndNoChooseTheOptionThatHoldsOnce) {
  EXPECT_EQ(decide(ask_to("p", "do"), allow(true)), "allowed yes");
  EXPECT_EQ(decide(ask_to("p", "do"), allow(false)), "denied no");
}

TEST(PermissionBook, YesNeverMeansAlways) {
  PermissionBook book;
  const std::string id = book.ask(only(OptionKind::kAllowAlways), kNow, 0ms).permission_id;
  const auto refused = book.decide(id, allow(true));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidAnswer);
  EXPECT_THAT(refused.error().hint, HasSubstr("option_id: it"));
  EXPECT_TRUE(book.decide(id, choose("it")));
}

TEST(PermissionBook, NoTakesTheLastingOptionWhereThereIsNoOther) {
  EXPECT_EQ(decide(only(OptionKind::kRejectAlways), allow(false)), "denied it");
}

TEST(PermissionBook, NoIsAlwaysPossibleAndYesOnlyWithAnOptionForIt) {
  EXPECT_EQ(decide(only(OptionKind::kAllowOnce), allow(false)), "denied ");
  EXPECT_EQ(decide(only(OptionKind::kRejectOnce), allow(true)), "invalid_answer");
}

TEST(PermissionBook, AnOptionIsChosenByItsIdAndItsKindSaysWhatItMeans) {
  EXPECT_EQ(decide(ask_to("p", "do"), choose("always")), "allowed always");
  EXPECT_EQ(decide(ask_to("p", "do"), choose("no")), "denied no");
}

TEST(PermissionBook, AWrongOptionIsRefusedWithTheRightOnesAndThePermissionWaitsOn) {
  PermissionBook book;
  const std::string id = book.ask(ask_to("p", "do"), kNow, 0ms).permission_id;
  const auto refused = book.decide(id, choose("maybe"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidAnswer);
  EXPECT_THAT(refused.error().hint, HasSubstr("always, yes, no"));
  EXPECT_FALSE(book.decide(id, choose("")));
  EXPECT_FALSE(book.decide(id, reply({"yes"})));
  EXPECT_TRUE(book.decide(id, choose("yes")));
}

TEST(PermissionBook, QuestionsTakeOneAnswerEach) {
  PermissionBook book;
  const std::string id = book.ask(asked("q"), kNow, 0ms).permission_id;
  EXPECT_EQ(book.decide(id, reply({"red"})).error().kind, ErrorKind::kInvalidAnswer);
  EXPECT_EQ(book.decide(id, allow(true)).error().kind, ErrorKind::kInvalidAnswer);
  EXPECT_EQ(book.decide(id, choose("red")).error().kind, ErrorKind::kInvalidAnswer);
  const auto answered = book.decide(id, reply({"red", "because"}));
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->status, PermissionStatus::kAnswered);
  EXPECT_THAT(answered->answer.answers, testing::ElementsAre("red", "because"));
}

TEST(PermissionBook, QuestionsMayBeLeftUnanswered) {
  EXPECT_EQ(decide(asked("q"), allow(false)), "denied ");
}

TEST(PermissionBook, TheFirstAnswerCountsAndTheSecondGetsItsAuthor) {
  PermissionBook book;
  const std::string id = book.ask(ask_to("p", "do"), kNow, 0ms).permission_id;
  ASSERT_TRUE(book.decide(id, allow(true)));
  const auto second = book.decide(id, allow(false));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kAlreadyResolved);
  EXPECT_EQ(second.error().message, "this permission is already allowed by ann");
}

TEST(PermissionBook, AnUnknownPermissionIsRefused) {
  PermissionBook book;
  EXPECT_EQ(book.decide("perm_x", allow(true)).error().kind, ErrorKind::kUnknownPermission);
}

TEST(PermissionBook, ItForgetsHowTheOldestWereResolved) {
  PermissionBook book;
  const std::string first = book.ask(ask_to("p", "do"), kNow, 0ms).permission_id;
  ASSERT_TRUE(book.decide(first, allow(true)));
  for (int i = 0; i < 64; ++i)
    ASSERT_TRUE(book.decide(book.ask(ask_to("p", "do"), kNow, 0ms).permission_id, allow(true)));
  EXPECT_EQ(book.decide(first, allow(true)).error().kind, ErrorKind::kUnknownPermission);
}

TEST(PermissionBook, WhatNobodyAnswersInTimeIsRefused) {
  PermissionBook book;
  const auto pending = book.ask(ask_to("p", "do"), kNow, 10s);
  book.ask(ask_to("for ever", "do"), kNow, 0ms);
  EXPECT_EQ(pending.expires_at, kNow.wall + 10s);
  EXPECT_EQ(book.next_expiry(), kNow.steady + 10s);
  EXPECT_THAT(book.expire(kNow.steady + 9999ms), IsEmpty());
  const auto expired = book.expire(kNow.steady + 10s);
  ASSERT_THAT(expired, SizeIs(1));
  EXPECT_EQ(expired[0].status, PermissionStatus::kExpired);
  EXPECT_EQ(expired[0].by, Decider{.kind = DeciderKind::kTimeout});
  EXPECT_EQ(expired[0].answer.option_id, "no");
  EXPECT_EQ(book.next_expiry(), std::nullopt);
  EXPECT_THAT(book.pending(), SizeIs(1));
}

TEST(PermissionBook, AnAnswerThatComesTooLateIsToldWhy) {
  PermissionBook book;
  const std::string late = book.ask(ask_to("p1", "do"), kNow, 10s).permission_id;
  const std::string dropped = book.ask(ask_to("p2", "do"), kNow, 0ms).permission_id;
  book.expire(kNow.steady + 10s);
  book.withdraw("p2");
  const Error expired = book.decide(late, allow(true)).error();
  EXPECT_EQ(expired.kind, ErrorKind::kAlreadyResolved);
  EXPECT_EQ(expired.message, "this permission expired without an answer and was denied");
  EXPECT_EQ(expired.hint, "send the agent a message to ask for it again");
  const Error withdrawn = book.decide(dropped, allow(true)).error();
  EXPECT_EQ(withdrawn.kind, ErrorKind::kAlreadyResolved);
  EXPECT_EQ(withdrawn.message,
            "this permission was withdrawn: the agent no longer waits for an answer");
}

TEST(PermissionBook, TheAgentWithdrawsByItsOwnId) {
  PermissionBook book;
  book.ask(ask_to("p1", "do"), kNow, 10s);
  book.ask(ask_to("p2", "do"), kNow, 10s);
  EXPECT_THAT(book.withdraw("p3"), IsEmpty());
  ASSERT_THAT(book.withdraw("p2"), SizeIs(1));
  ASSERT_THAT(book.pending(), SizeIs(1));
  EXPECT_EQ(book.pending()[0].asked.id, "p1");
  EXPECT_THAT(book.withdraw_all(), SizeIs(1));
  EXPECT_TRUE(book.empty());
}

TEST(PermissionBook, ARuleResolvesARequestThatIsThenNotPending) {
  PermissionBook book;
  const Admission admission = book.admit(ask_to("p", "do"), PermissionMode::kAllow, kNow, 0ms);
  const auto& resolution = std::get<Resolution>(admission.outcome);
  EXPECT_EQ(resolution.by.kind, DeciderKind::kRule);
  EXPECT_EQ(resolution.status, PermissionStatus::kAllowed);
  EXPECT_EQ(resolution.answer.option_id, "yes");
  EXPECT_EQ(admission.notice, "");
  EXPECT_TRUE(book.empty());
}

TEST(PermissionBook, ARequestThatCannotBeAllowedOnceIsLeftToPeopleWithANotice) {
  PermissionBook book;
  const PermissionAsked lasting = only(OptionKind::kAllowAlways);
  const Admission admission = book.admit(lasting, PermissionMode::kAllow, kNow, 10s);
  EXPECT_EQ(std::get<PendingPermission>(admission.outcome).expires_at, kNow.wall + 10s);
  EXPECT_NE(admission.notice, "");
  EXPECT_EQ(book.admit(lasting, PermissionMode::kAsk, kNow, 0ms).notice, "");
  EXPECT_THAT(book.pending(), SizeIs(2));
}

// What a rule says: an option's id, "-" for a refusal without one, "ask" for a person.
std::string rule(const PermissionAsked& asked, PermissionMode mode) {
  const auto answer = answer_by_rule(asked, mode);
  if (!answer) return "ask";
  return answer->option_id.empty() ? "-" : answer->option_id;
}

TEST(PermissionRule, AnswersAtOnceWhereItCan) {
  EXPECT_EQ(rule(ask_to("p", "do"), PermissionMode::kAsk), "ask");
  EXPECT_EQ(rule(ask_to("p", "do"), PermissionMode::kAllow), "yes");
  EXPECT_EQ(rule(ask_to("p", "do"), PermissionMode::kDeny), "no");
  EXPECT_EQ(rule(only(OptionKind::kAllowOnce), PermissionMode::kDeny), "-");
}

TEST(PermissionRule, AllowingAsksAPersonWhereNoOptionAllowsOrWordsAreNeeded) {
  EXPECT_EQ(rule(only(OptionKind::kRejectOnce), PermissionMode::kAllow), "ask");
  EXPECT_EQ(rule(only(OptionKind::kAllowAlways), PermissionMode::kAllow), "ask");
  EXPECT_EQ(rule(asked("q"), PermissionMode::kAllow), "ask");
  EXPECT_EQ(rule(asked("q"), PermissionMode::kDeny), "-");
}

}  // namespace
}  // namespace oriel
