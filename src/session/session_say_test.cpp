// What a person speaks, or sends with files.

#include "session/session_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

UserMessage spoken(const std::string& text, const std::string& request_id = "") {
  return {.text = text,
          .prompt = text + "!",
          .request_id = request_id,
          .by = "ann",
          .origin = TurnOrigin{.source = TurnSource::kVoice, .said_at = {}, .files = {}}};
}

TEST(SessionSay, IsAMessageWhoseEventHasItsSource) {
  TestSession session;
  session.start_task("hi");
  session.agent(kDone);
  EXPECT_THAT(session.say(spoken("go on")), ElementsAre("user go on", "> prompt go on!"));
  EXPECT_EQ(session.last("message").data,
            json::value(json::object{{"source", "voice"}, {"by", "ann"}}));
}

TEST(SessionSay, TheFirstMessageNamesASessionWithoutATitle) {
  TestSession session;
  session.say({.text = "fix it", .title = "fix it"});
  EXPECT_EQ(session.state().title, "fix it");
  session.say({.text = "more", .title = "more"});
  EXPECT_EQ(session.state().title, "fix it");
}

TEST(SessionSay, TheEventHasTheIdThatItsSenderGaveToIt) {
  TestSession session;
  session.start_task("hi");
  session.say(spoken("go on", "r-1"));
  EXPECT_EQ(session.last("message").data->at("request_id"), "r-1");
  session.agent(question("q1", "Tea or coffee?"));
  session.say(spoken("tea", "r-2"));
  EXPECT_EQ(session.last("permission").data->at("said").at("request_id"), "r-2");
}

TEST(SessionSay, WaitsForTheTaskAtWork) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.say(spoken("next")), ElementsAre("user next"));
  EXPECT_EQ(session.state().queue.front().text, "next!");
}

TEST(SessionSay, AnswersNothingForASenderWhoMayNot) {
  TestSession session;
  session.start_task("hi");
  UserMessage said = spoken("tea");
  said.may_answer = false;
  EXPECT_THAT(session.say(said), ElementsAre("user tea")) << "nothing is asked yet";
  session.agent(question("q1", "Tea or coffee?"));
  const auto refused = session.session().say(said, session.now());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kMissingScope);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("scope answer"));
  EXPECT_FALSE(session.pending_id().empty());
}

TEST(SessionSay, AnswersTheOneQuestionInWordsThatWaits) {
  TestSession session;
  session.start_task("hi");
  session.agent(question("q1", "Tea or coffee?"));
  const std::string permission_id = session.pending_id();
  const auto taken = session.session().say(spoken("tea"), session.now());
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->permission_id, permission_id);
  const EventView event = view_of(taken->step.events.front());
  ASSERT_EQ(event.status, "answered");
  const json::object& data = event.data->as_object();
  EXPECT_EQ(data.at("by"), "ann");
  EXPECT_EQ(data.at("answers"), json::value(json::array{"tea!"}));
  EXPECT_EQ(data.at("said").at("text"), "tea");
  EXPECT_EQ(data.at("said").at("source"), "voice");
  EXPECT_EQ(data.at("said").at("turn_id"), json::value(taken->turn_id));
  const SessionCommand& command = taken->step.commands.front();
  EXPECT_EQ(describe(std::get<AnswerAgent>(command)), "> answer q1 - tea!");
  EXPECT_THAT(session.state().pending, IsEmpty());
}

TEST(SessionSay, NeverAllowsATool) {
  TestSession session;
  session.start_task("hi");
  session.agent(call("t1"), ask_to("p1", "run ls?"));
  EXPECT_THAT(session.say(spoken("yes")), ElementsAre("user yes"));
  EXPECT_EQ(session.state().pending.size(), 1U);
}

TEST(SessionSay, AnswersNoneOfSeveralQuestions) {
  TestSession session;
  session.start_task("hi");
  session.agent(question("q1", "Tea?"), question("q2", "Milk?"));
  EXPECT_THAT(session.say(spoken("yes")), ElementsAre("user yes"));
  TestSession other;
  other.start_task("hi");
  PermissionAsked two = question("q1", "Tea?");
  two.questions.push_back(two.questions.front());
  other.agent(two);
  EXPECT_THAT(other.say(spoken("yes")), ElementsAre("user yes"));
}

TEST(SessionSay, ARequestIsTakenOnceAsMessageOrAnswer) {
  TestSession session;
  session.start_task("hi");
  session.agent(question("q1", "Tea or coffee?"));
  const auto first = session.session().say(spoken("tea", "r1"), session.now());
  const auto again = session.session().say(spoken("tea", "r1"), session.now());
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->turn_id, first->turn_id);
  EXPECT_EQ(again->last_index, first->last_index);
  EXPECT_THAT(again->step.events, IsEmpty());
}

TEST(SessionSay, AnEndedSessionHearsNothing) {
  TestSession session;
  session.end();
  EXPECT_THAT(session.say(spoken("hello")), ElementsAre("refused session_ended"));
}

}  // namespace
}  // namespace oriel
