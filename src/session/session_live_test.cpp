#include "base/text/json_text.h"
#include "session/session_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

UsageReported used(const boost::json::object& usage) {
  return {.usage = parse_usage(usage)};
}

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(R_LIVE_3, ToolsCarryNameStateArgumentsAndResult) {
  TestSession session;
  session.start_task("hi");
  EXPECT_THAT(session.agent(call("t1")),
              ElementsAre("status running", R"(tool_call t1 running {"path":"."})"));
  EXPECT_EQ(session.last("tool_call").tool_name, "ls");
  EXPECT_EQ(session.state().tools.at(0).tool_name, "ls");
  session.pass(1500ms);
  EXPECT_THAT(session.agent(result("t1", "a.txt")), ElementsAre("tool_result t1 ok a.txt"));
  EXPECT_EQ(session.last("tool_result").tool_name, "ls");
  EXPECT_EQ(session.last("tool_result").data->at("duration_ms"), 1500);
  EXPECT_THAT(session.state().tools, IsEmpty());
}

TEST(R_LIVE_3, RepeatedCallsAndResultsCountOnce) {
  TestSession session;
  session.start_task("hi");
  session.agent(call("t1"), result("t1", "first"));
  EXPECT_THAT(session.agent(call("t1"), result("t1", "second"), result("unknown", "x")), IsEmpty());
}

TEST(R_LIVE_3, ToolsThatHaveNoResultAreClosedInTheirOrderWhenTheTaskEnds) {
  TestSession session;
  session.start_task("hi");
  session.agent(call("z"), call("a"), call("m"), result("a", ""));
  const std::string none = " error no result: the task ended before the tool did";
  EXPECT_THAT(session.agent(kDone), ElementsAre("tool_result z" + none, "tool_result m" + none,
                                                "completion completed ", "status idle"));
}

TEST(R_LIVE_3, AToolsIdMayComeAgainInAnotherTask) {
  TestSession session;
  session.start_task("one");
  session.agent(call("t"), result("t", ""), kDone);
  session.start_task("two");
  EXPECT_THAT(session.agent(call("t")), Contains(R"(tool_call t running {"path":"."})"));
}

TEST(R_LIVE_4, TextIsShownBeforeAnyOtherEventOfTheTask) {
  const std::vector<AgentEvent> others = {call("t2"),
                                          result("t1", ""),
                                          ask_to("p2", "x"),
                                          PermissionWithdrawn{.id = "p1"},
                                          ErrorReported{.message = "x"},
                                          NoticeGiven{.text = "x"},
                                          kDone};
  for (const AgentEvent& other : others) {
    TestSession session;
    session.start_task("hi");
    session.agent(call("t1"), ask_to("p1", "do"), piece("hel"));
    EXPECT_EQ(session.agent(other).at(0), "message 1 hel") << other.index();
  }
}

TEST(R_LIVE_4, TextIsShownBeforeWhatPeopleDoToTheTask) {
  const auto after = [](auto act) {
    TestSession session;
    session.start_task("hi");
    session.agent(ask_to("p1", "do"), piece("hel"));
    return act(session).at(0);
  };
  const std::string shown = "message 1 hel";
  EXPECT_EQ(after([](TestSession& session) { return session.cancel(); }), shown);
  EXPECT_EQ(after([](TestSession& session) { return session.end(); }), shown);
  EXPECT_EQ(after([](TestSession& session) { return session.interrupt("restart"); }), shown);
  EXPECT_EQ(after([](TestSession& session) { return session.gone("died"); }), shown);
  EXPECT_EQ(after([](TestSession& session) {
              return session.answer(
                  session.pending_id(),
                  {.is_allowed = true, .option_id = "", .answers = {}, .by = "ann"});
            }),
            shown);
}

TEST(R_LIVE_4, LongTextRepeatsAsASignOfLifeAndSilenceDoesNot) {
  TestSession session;
  session.start_task("hi");
  session.agent(piece("a"));
  EXPECT_THAT(session.pass(10s), ElementsAre("message 1 a"));
  EXPECT_THAT(session.agent(piece("b")), ElementsAre("delta b", "message 1 ab"));
  EXPECT_THAT(session.agent(piece("c")), ElementsAre("delta c"));
  EXPECT_THAT(session.pass(249ms), IsEmpty());
  EXPECT_THAT(session.pass(1ms), ElementsAre("message 1 abc"));
}

TEST(R_LIVE_4, AThousandToolsWithinAMessageCostASmallMultipleOfItsText) {
  TestSession session;
  session.start_task("hi");
  const std::string text(4096, 'x');
  for (int i = 0; i < 1000; ++i) {
    const std::string id = "t" + std::to_string(i);
    session.agent(piece(text), call(id), result(id, ""));
  }
  session.agent(kDone);
  std::size_t shown = 0;
  for (const EventView& event : session.events()) {
    if (event.type == "message" && event.role == "assistant") shown += event.text.size();
  }
  EXPECT_LT(shown, 6 * 1000 * text.size());
  EXPECT_EQ(session.last("completion").text.size(), 1000 * text.size());
}

TEST(R_LIVE_4, ARetryVoidsWhatWasSaidAndIsNotDoubled) {
  TestSession session;
  session.start_task("hi");
  session.agent(piece("first"));
  EXPECT_THAT(session.agent(TextDropped{.message_id = ""}, piece("sec"), whole("second"), kDone),
              ElementsAre("message 1 ", "delta sec", "message 1 second",
                          "completion completed second", "status idle"));
}

TEST(R_LIVE_5, ARetractedTextIsNotTheAnswer) {
  TestSession session;
  session.start_task("hi");
  session.agent(piece("void"));
  session.pass(1s);
  session.agent(TextDropped{.message_id = "m"});
  EXPECT_EQ(session.state().last_text, "");
  EXPECT_THAT(session.agent(kDone), ElementsAre("completion completed ", "status idle"));
}

TEST(R_LIVE_5, TheCompletionCarriesTheLastTextItsUsageAndItsTime) {
  TestSession session;
  session.start_task("hi");
  session.agent(whole("looking"), call("t"), result("t", ""),
                TextFinished{.message_id = "n", .text = "found"},
                used({{"input_tokens", 5}, {"output_tokens", 1}}), used({{"output_tokens", 7}}));
  session.pass(2s);
  EXPECT_THAT(session.agent(kDone, kDone),
              ElementsAre("completion completed found", "status idle"));
  const EventView completion = session.last("completion");
  EXPECT_EQ(json_text(*completion.usage), R"({"input_tokens":5,"output_tokens":7})");
  EXPECT_EQ(completion.data->at("duration_ms"), 2000);
  EXPECT_EQ(to_json(session.state().usage), completion.usage->as_object());
}

TEST(SessionUsage, OfAllTasksIsAddedUpAndTheContextIsTheLastReported) {
  TestSession session;
  session.start_task("hi");
  session.agent(used({{"output_tokens", 7}, {"cost_usd", 0.5}, {"context_used", 90}}), kDone);
  session.start_task("and");
  session.agent(used({{"output_tokens", 2}, {"cost_usd", 1}, {"context_used", 40}}), kDone);
  EXPECT_EQ(json_text(to_json(session.state().total_usage)),
            R"({"output_tokens":9,"context_used":40,"cost_usd":1.5})");
  EXPECT_EQ(session.state().usage.output_tokens, 2);
}

TEST(R_LIVE_5, PartialTextIsTheAnswerOfACancelledTask) {
  TestSession session;
  session.start_task("hi");
  session.agent(piece("hel"));
  session.cancel();
  EXPECT_THAT(session.agent(TaskEnded{.reason = TaskEnd::kCancelled, .detail = ""}),
              ElementsAre("message 1 hel", "completion cancelled hel", "status idle"));
}

TEST(R_SHAPE_3, AllEventsOfATaskNameIt) {
  TestSession session;
  session.start_task("hi");
  const std::string task_id = session.state().task_id;
  session.agent(piece("x"), call("t"), result("t", ""), ask_to("p", "do"), kDone);
  for (const EventView& event : session.events()) {
    EXPECT_TRUE(event.type == "system" || event.task_id == task_id) << describe(event);
    EXPECT_EQ(event.timestamp, session.now().wall);
    EXPECT_EQ(event.project_id, "project");
  }
  EXPECT_EQ(session.state().last_index + 1, static_cast<std::int64_t>(session.events().size()));
}

TEST(R_SHAPE_3, StateTransitionsHaveTheirOwnNameAndKeysOnTheFeed) {
  TestSession session;
  session.message("hi");
  const EventView& event = session.events().at(1);
  EXPECT_EQ(event.feed_type, "state_transition");
  EXPECT_EQ(event.text, "idle -> commanded");
  EXPECT_EQ(json_text(*event.data),
            R"({"agent_id":"ses_1","project_id":"project","task_id":"","from_state":"idle",)"
            R"("to_state":"commanded","trigger":"message","timestamp":")" +
                format_time(session.now().wall) + "\"}");
}

TEST(Session, ThoughtsAreDeltasAndNeverMessages) {
  TestSession session;
  session.start_task("hi");
  session.agent(ThoughtDelta{.text = "hm"});
  EXPECT_THAT(session.pass(1s), IsEmpty());
  EXPECT_THAT(session.agent(kDone), ElementsAre("completion completed ", "status idle"));
}

TEST(Session, TheEndOfTheLastTextIsKeptAndCutBetweenCharacters) {
  TestSession session;
  session.start_task("hi");
  std::string text = "start";
  for (int i = 0; i < 300; ++i)
    text += "ü";
  session.agent(whole(text + "."));
  EXPECT_EQ(session.state().last_text.size(), 499U);
  EXPECT_EQ(session.state().last_text.substr(0, 2), "ü");
}

}  // namespace
}  // namespace oriel
