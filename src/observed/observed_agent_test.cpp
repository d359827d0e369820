#include "observed/observed_agent.h"

#include "observed/observed_testing.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::minutes;
using std::chrono::seconds;

using Lines = std::vector<std::string>;

// Hooks and entries of one agent, in short.
struct Observing {
  static HookEvent hook_of(HookKind kind) {
    HookEvent hook;
    hook.kind = kind;
    hook.session_id = "agent-1";
    hook.transcript_path = "/t/a.jsonl";
    hook.cwd = "/w";
    return hook;
  }

  void prompt(const std::string& text, int at) {
    HookEvent hook = hook_of(HookKind::kUserPromptSubmit);
    hook.prompt = text;
    fixture.hook(hook, at_ms(at));
  }

  void stop(const std::string& text, int at) {
    HookEvent hook = hook_of(HookKind::kStop);
    hook.last_text = text;
    fixture.hook(hook, at_ms(at));
  }

  void tool(HookKind kind, const std::string& id, const std::string& name, json::value input,
            int at, json::value response = nullptr) {
    HookEvent hook = hook_of(kind);
    hook.tool_call_id = id;
    hook.tool_name = name;
    hook.tool_input = std::move(input);
    hook.tool_response = std::move(response);
    fixture.hook(hook, at_ms(at));
  }

  TranscriptEntry entry_of(EntryKind kind, const std::string& text, int at) {
    TranscriptEntry entry;
    entry.kind = kind;
    entry.id = "e" + std::to_string(++entry_count);
    entry.text = text;
    entry.time = at_ms(at);
    return entry;
  }

  TranscriptEntry tool_entry(EntryKind kind, const std::string& id, const std::string& name,
                             json::value input, int at) {
    TranscriptEntry entry = entry_of(kind, "", at);
    entry.tool_call_id = id;
    entry.tool_name = name;
    entry.input = std::move(input);
    return entry;
  }

  void read(std::vector<TranscriptEntry> entries, int at) {
    offset += entries.size();
    fixture.entries(
        {.entries = std::move(entries), .position = {.path = path, .inode = 1, .offset = offset}},
        at_ms(at));
  }

  Lines turns() { return in_short(fixture.turns()); }

  Lines transitions() { return fixture.published("state_transition"); }

  std::vector<const EventView*> events_of(const std::string& type) {
    std::vector<const EventView*> found;
    for (const EventView& event : fixture.events()) {
      if (event.type == type || event.feed_type == type) found.push_back(&event);
    }
    return found;
  }

  ObservedFixture fixture;
  int entry_count = 0;
  std::size_t offset = 0;
  std::string path = "/t/a.jsonl";
};

TEST(R_TURN_5, ATaskGoesThroughItsStates) {
  Observing o;
  o.prompt("fix it", 0);
  o.tool(HookKind::kPreToolUse, "t1", "Bash", {{"command", "ls"}}, 10);
  o.tool(HookKind::kPermissionRequest, "", "Bash", {{"command", "ls"}}, 20);
  o.tool(HookKind::kPostToolUse, "t1", "Bash", {{"command", "ls"}}, 30, {{"stdout", "a"}});
  o.stop("Done.", 40);
  EXPECT_EQ(o.transitions(),
            (Lines{"idle -> commanded", "commanded -> processing", "processing -> awaiting_input",
                   "awaiting_input -> processing", "processing -> complete"}));
  EXPECT_EQ(o.events_of("session_created").size(), 1U);
  EXPECT_EQ(o.fixture.state().turns.title, "fix it");
  EXPECT_EQ(o.fixture.state().turns.last_text, "Done.");
}

TEST(R_TURN_6, APromptThatArrivesAfterItsToolIsTheTurnBeforeIt) {
  Observing o;
  o.tool(HookKind::kPreToolUse, "t1", "AskUserQuestion", {{"question", "Which?"}}, 10);
  o.prompt("fix it", 11);
  EXPECT_EQ(o.turns(), (Lines{"user command: fix it", "agent question: Which?"}));
  EXPECT_EQ(o.fixture.state().tasks.size(), 1U);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 5),
          o.tool_entry(EntryKind::kQuestion, "t1", "AskUserQuestion", {{"question", "Which?"}}, 9)},
         20);
  EXPECT_EQ(o.fixture.turns().size(), 2U);
  EXPECT_EQ(o.fixture.turns()[0].text, "fix it");
  EXPECT_EQ(o.fixture.turns()[0].task_id, o.fixture.turns()[1].task_id);
}

TEST(R_TURN_3, ALostPromptIsFoundInTheTranscript) {
  Observing o;
  o.tool(HookKind::kPreToolUse, "t1", "Bash", {}, 10);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 5),
          o.tool_entry(EntryKind::kToolUse, "t1", "Bash", {}, 9)},
         20);
  ASSERT_EQ(o.turns(), Lines{"user command: fix it"});
  EXPECT_EQ(o.fixture.turns()[0].source, TurnSource::kReconciliation);
  EXPECT_EQ(o.fixture.turns()[0].timestamp, at_ms(5));
  EXPECT_EQ(o.fixture.published("turn_detected").size(), 1U);
  EXPECT_EQ(o.events_of("tool_call").size(), 1U);
  EXPECT_EQ(o.fixture.state().state, WorkState::kProcessing);
}

TEST(R_TURN_3, AWrongTimeIsCorrectedAndPublished) {
  Observing o;
  o.prompt("fix it", 100);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 40)}, 200);
  const auto updates = o.events_of("turn_updated");
  ASSERT_EQ(updates.size(), 1U);
  const json::object& data = updates[0]->data->as_object();
  EXPECT_EQ(data.at("update_type"), "timestamp_correction");
  EXPECT_EQ(data.at("old_timestamp").as_string(), format_time(at_ms(100)));
  EXPECT_EQ(data.at("timestamp").as_string(), format_time(at_ms(40)));
  EXPECT_EQ(o.fixture.turns()[0].entry_id, "e1");
  EXPECT_EQ(o.fixture.turns()[0].source, TurnSource::kHook);
}

TEST(R_TURN_3, TwoEqualAnswersStayTwo) {
  Observing o;
  for (const int at : {0, 10'000}) {
    o.prompt("yes", at);
    o.stop("Done.", at + 50);
    auto text = o.entry_of(EntryKind::kText, "Done.", at + 40);
    text.ends_task = true;
    o.read({o.entry_of(EntryKind::kPrompt, "yes", at + 1), text}, at + 60);
  }
  EXPECT_EQ(o.turns(), (Lines{"user command: yes", "agent completion: Done.", "user command: yes",
                              "agent completion: Done."}));
  EXPECT_EQ(o.fixture.published("turn_created").size(), 4U);
}

TEST(R_TURN_6, ARepeatedNotificationCountsOnce) {
  Observing o;
  o.prompt("fix it", 0);
  HookEvent hook = o.hook_of(HookKind::kNotification);
  hook.notification_type = "permission_prompt";
  o.fixture.hook(hook, at_ms(10));
  const std::size_t before = o.fixture.events().size();
  o.fixture.hook(hook, at_ms(20));
  EXPECT_EQ(o.fixture.events().size(), before);
  EXPECT_EQ(o.fixture.state().state, WorkState::kAwaitingInput);
  EXPECT_EQ(o.fixture.turns().size(), 1U);
}

TEST(R_TURN_6, RepeatedHooksMakeOneTurnEach) {
  Observing o;
  for (int i = 0; i < 2; ++i)
    o.prompt("fix it", i);
  for (int i = 0; i < 2; ++i)
    o.stop("Done.", 10 + i);
  EXPECT_EQ(o.turns(), (Lines{"user command: fix it", "agent completion: Done."}));
}

TEST(ObservedAgent, AnAnswerHasNoPromptHook) {
  Observing o;
  const json::value input = {{"questions", json::array{json::object{{"question", "Which?"}}}}};
  o.prompt("fix it", 0);
  o.tool(HookKind::kPreToolUse, "t1", "AskUserQuestion", input, 10);
  EXPECT_EQ(o.fixture.state().state, WorkState::kAwaitingInput);
  o.tool(HookKind::kPostToolUse, "t1", "AskUserQuestion", input, 20,
         {{"answers", {{"Which?", "the first"}}}});
  EXPECT_EQ(o.turns(),
            (Lines{"user command: fix it", "agent question: Which?", "user answer: the first"}));
  EXPECT_EQ(to_json(o.fixture.turns()[1].data).at("status"), "answered");
  EXPECT_EQ(o.fixture.state().state, WorkState::kProcessing);
  TranscriptEntry result = o.tool_entry(EntryKind::kToolResult, "t1", "", nullptr, 19);
  result.text = "the first";
  TranscriptEntry question = o.tool_entry(EntryKind::kQuestion, "t1", "AskUserQuestion", input, 9);
  question.text = "Which?";
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 0), question, result}, 30);
  EXPECT_EQ(o.fixture.turns().size(), 3U);
  for (const Turn& turn : o.fixture.turns())
    EXPECT_FALSE(turn.entry_id.empty()) << turn.text;
}

TEST(ObservedAgent, APermissionHasTheExactInput) {
  Observing o;
  o.prompt("fix it", 0);
  o.tool(HookKind::kPermissionRequest, "", "Bash", {{"command", "rm -rf build"}}, 10);
  const Turn question = o.fixture.turns()[1];
  EXPECT_EQ(question.intent, TurnIntent::kQuestion);
  EXPECT_EQ(question.text, "Bash: rm -rf build");
  EXPECT_EQ(to_json(question.data).at("input").at("command"), "rm -rf build");
  EXPECT_EQ(to_json(question.data).at("status"), "pending");
  TranscriptEntry refused = o.tool_entry(EntryKind::kToolResult, "t1", "", nullptr, 30);
  refused.is_error = true;
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 0),
          o.tool_entry(EntryKind::kToolUse, "t1", "Bash", {{"command", "rm -rf build"}}, 9),
          refused, o.entry_of(EntryKind::kInterrupt, "", 31)},
         40);
  EXPECT_EQ(to_json(o.fixture.turns()[1].data).at("status"), "refused");
  EXPECT_EQ(o.fixture.state().state, WorkState::kComplete);
}

TEST(ObservedAgent, ATextIsProgressUntilTheAgentHasFinished) {
  Observing o;
  o.prompt("fix it", 0);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 0), o.entry_of(EntryKind::kText, "I look.", 5)},
         10);
  EXPECT_EQ(o.turns()[1], "agent progress: I look.");
  o.stop("I look.", 20);
  EXPECT_EQ(o.turns()[1], "agent completion: I look.");
  o.read({o.tool_entry(EntryKind::kToolUse, "t1", "Bash", {}, 30)}, 40);
  EXPECT_EQ(o.turns()[1], "agent progress: I look.");
  EXPECT_EQ(o.fixture.state().state, WorkState::kProcessing);
}

TEST(ObservedAgent, AStopWithoutATextTakesItFromTheTranscript) {
  Observing o;
  o.prompt("fix it", 0);
  o.stop("", 20);
  EXPECT_EQ(o.fixture.state().state, WorkState::kComplete);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 0), o.entry_of(EntryKind::kText, "Done.", 15)},
         30);
  EXPECT_EQ(o.turns(), (Lines{"user command: fix it", "agent completion: Done."}));
  EXPECT_EQ(o.fixture.state().state, WorkState::kComplete);
}

TEST(ObservedAgent, ATurnThatTheTranscriptNeverHasIsWithdrawn) {
  Observing o;
  o.prompt("fix it", 0);
  o.read({o.entry_of(EntryKind::kPrompt, "fix it", 0)}, 10);
  o.prompt("refused by another hook", 20'000);
  EXPECT_EQ(o.fixture.turns().size(), 2U);
  o.fixture.tick(at_ms(60'000));
  EXPECT_EQ(o.turns(), Lines{"user command: fix it"});
  EXPECT_EQ(o.events_of("turn_updated").back()->data->at("update_type"), "withdrawn");
  EXPECT_EQ(o.fixture.state().tasks.size(), 1U);
}

TEST(ObservedAgent, WithoutATranscriptTurnsOfHooksStay) {
  Observing o;
  o.prompt("fix it", 0);
  o.stop("Done.", 10);
  o.fixture.tick(at_ms(600'000));
  EXPECT_EQ(o.fixture.turns().size(), 2U);
}

TEST(ObservedAgent, CompactionIntoANewFileContinuesTheSession) {
  Observing o;
  o.prompt("fix it", 0);
  const auto first = o.entry_of(EntryKind::kPrompt, "fix it", 0);
  const auto end = o.entry_of(EntryKind::kTaskEnd, "", 10);
  o.read({first, end}, 20);
  HookEvent start = o.hook_of(HookKind::kSessionStart);
  start.session_id = "agent-1b";
  start.source = StartSource::kCompact;
  start.transcript_path = "/t/b.jsonl";
  o.fixture.hook(start, at_ms(30));
  EXPECT_EQ(o.fixture.state().transcript.wanted_path, "/t/b.jsonl");
  EXPECT_EQ(o.fixture.state().transcript.position.path, "/t/a.jsonl");
  o.fixture.store(o.fixture.agent().follow_wanted(moment_at(at_ms(40))));
  EXPECT_EQ(o.fixture.state().transcript.position,
            (TranscriptPosition{.path = "/t/b.jsonl", .inode = 0, .offset = 0}));
  o.fixture.restart();
  o.path = "/t/b.jsonl";
  o.read({first, end, o.entry_of(EntryKind::kPrompt, "go on", 50)}, 60);
  EXPECT_EQ(o.turns(), (Lines{"user command: fix it", "user command: go on"}));
  EXPECT_EQ(o.fixture.state().state, WorkState::kCommanded);
  EXPECT_EQ(o.fixture.state().native_ids, (Lines{"agent-1", "agent-1b"}));
  EXPECT_EQ(o.events_of("session_created").size(), 1U);
}

TEST(ObservedAgent, SilenceIsPublishedWithItsReason) {
  Observing o;
  o.prompt("fix it", 0);
  o.fixture.tick(at_ms(30'000));
  EXPECT_EQ(o.fixture.published("agent_silence"), Lines{});
  o.fixture.tick(at_ms(70'000));
  EXPECT_EQ(o.fixture.state().silence, Silence::kUnknown);
  o.tool(HookKind::kPreToolUse, "t1", "Bash", {}, 80'000);
  EXPECT_EQ(o.fixture.state().silence, Silence::kNone);
  o.fixture.tick(at_ms(380'000));
  o.fixture.tick(at_ms(390'000));
  EXPECT_EQ(o.fixture.state().silence, Silence::kTool);
  o.tool(HookKind::kPermissionRequest, "", "Bash", {}, 400'000);
  o.fixture.tick(at_ms(500'000));
  EXPECT_EQ(o.fixture.state().silence, Silence::kQuestion);
  EXPECT_EQ(o.fixture.published("agent_silence"),
            (Lines{"no sign of work for 70 s", "Bash has been running for 5 min",
                   "waiting for a person for 100 s"}));
  o.stop("Done.", 510'000);
  o.fixture.tick(at_ms(900'000));
  EXPECT_EQ(o.fixture.state().silence, Silence::kIdle);
}

TEST(ObservedAgent, ADeadProcessEndsTheSessionAndALaterHookResumesIt) {
  Observing o;
  o.prompt("fix it", 0);
  o.fixture.tick(at_ms(1'000), Liveness::kGone);
  EXPECT_EQ(o.fixture.state().state, WorkState::kComplete);
  EXPECT_EQ(o.fixture.state().status, SessionStatus::kCompleted);
  EXPECT_EQ(o.fixture.published("session_ended"), Lines{"session ended: its process has ended"});
  o.fixture.tick(at_ms(2'000), Liveness::kGone);
  EXPECT_EQ(o.fixture.published("session_ended").size(), 1U);
  o.prompt("again", 5'000);
  EXPECT_EQ(o.fixture.state().state, WorkState::kCommanded);
  EXPECT_EQ(o.events_of("session_resumed").size(), 1U);
}

TEST(ObservedAgent, AnEndedSessionIsResumedByAPromptAndNotByAStart) {
  Observing o;
  o.prompt("fix it", 0);
  o.fixture.hook(o.hook_of(HookKind::kSessionEnd), at_ms(1'000));
  HookEvent start = o.hook_of(HookKind::kSessionStart);
  start.source = StartSource::kResume;
  o.fixture.hook(start, at_ms(5'000));
  EXPECT_EQ(o.fixture.state().status, SessionStatus::kCompleted);
  o.prompt("again", 6'000);
  EXPECT_EQ(o.events_of("session_resumed").size(), 1U);
}

TEST(ObservedAgent, TheFirstProjectCounts) {
  ObservedAgent agent{ObservedState{}};
  agent.join_project({.project_id = "a-1", .name = "a", .root = "/a"});
  agent.join_project({.project_id = "b-1", .name = "b", .root = "/b"});
  EXPECT_EQ(agent.state().project_id, "a-1");
  EXPECT_EQ(agent.state().project_name, "a");
}

TEST(ObservedAgent, HooksOfASubAgentOnlyShowActivity) {
  Observing o;
  o.prompt("fix it", 0);
  HookEvent hook = o.hook_of(HookKind::kPreToolUse);
  hook.subagent_id = "sub";
  hook.tool_name = "Bash";
  hook.tool_call_id = "t9";
  o.fixture.hook(hook, at_ms(10));
  EXPECT_TRUE(o.events_of("tool_call").empty());
  EXPECT_EQ(o.fixture.state().active_at, at_ms(10));
}

TEST(ObservedAgent, ToolsArePublishedLikeThoseOfHostedSessions) {
  Observing o;
  o.prompt("fix it", 0);
  o.tool(HookKind::kPreToolUse, "t1", "Bash", {{"command", "ls"}}, 10);
  o.tool(HookKind::kPostToolUse, "t1", "Bash", {{"command", "ls"}}, 25, {{"stdout", "a"}});
  const EventView& call = *o.events_of("tool_call").at(0);
  EXPECT_EQ(call.feed_type, "session_event");
  EXPECT_EQ(call.text, R"({"command":"ls"})");
  EXPECT_EQ(call.status, "running");
  EXPECT_EQ(call.task_id, o.fixture.turns()[0].task_id);
  const EventView& result = *o.events_of("tool_result").at(0);
  EXPECT_EQ(result.text, "a");
  EXPECT_EQ(result.status, "ok");
  EXPECT_EQ(result.data->at("duration_ms"), 15);
}

TEST(ObservedAgent, AnImplausibleTimeIsIgnored) {
  Observing o;
  auto early = o.entry_of(EntryKind::kPrompt, "from before clocks", 0);
  early.time = parse_time("0001-01-01T00:00:00Z");
  auto late = o.entry_of(EntryKind::kText, "from the future", 0);
  late.time = parse_time("9999-01-01T00:00:00Z");
  o.read({early, late}, 100);
  for (const Turn& turn : o.fixture.turns()) {
    EXPECT_EQ(turn.timestamp, at_ms(100)) << turn.text;
    EXPECT_EQ(turn.timestamp_source, TimestampSource::kServer);
  }
  o.fixture.restart();
  EXPECT_EQ(o.fixture.state().turns.count, 2U);
}

TEST(ObservedAgent, AHookThatChangesNothingIsNotStored) {
  Observing o;
  o.prompt("fix it", 0);
  o.tool(HookKind::kPreToolUse, "t1", "Bash", {}, 10);
  HookEvent again = o.hook_of(HookKind::kPreToolUse);
  again.tool_name = "Bash";
  again.tool_call_id = "t1";
  const ObservedStep step = o.fixture.agent().on_hook(again, moment_at(at_ms(20)));
  EXPECT_TRUE(step.is_empty());
  EXPECT_FALSE(step.is_changed);
}

TEST(ObservedAgent, HooksWithoutATranscriptNeedBoundedMemory) {
  Observing o;
  for (int i = 0; i < 500; ++i) {
    o.prompt("task " + std::to_string(i), i * 10'000);
    o.tool(HookKind::kPreToolUse, "t" + std::to_string(i), "Bash", {}, i * 10'000 + 10);
    o.stop("done " + std::to_string(i), i * 10'000 + 20);
  }
  EXPECT_EQ(o.fixture.turns().size(), 1'000U);
  EXPECT_LT(to_document(o.fixture.state()).size(), 64U << 10);
}

TEST(ObservedState, ADocumentIsReadBack) {
  ObservedFixture fixture;
  HookEvent hook;
  hook.kind = HookKind::kUserPromptSubmit;
  hook.session_id = "agent-1";
  hook.prompt = "fix it";
  hook.pid = 7;
  fixture.hook(hook, at_ms(0));
  hook.kind = HookKind::kPermissionRequest;
  hook.tool_name = "Bash";
  fixture.hook(hook, at_ms(10));
  EXPECT_EQ(parse_observed_document(to_document(fixture.state())).value(), fixture.state());
}

TEST(ObservedState, AnInvalidDocumentIsAnError) {
  for (const char* text : {"", "{}", "[1]", R"({"session_id":7})"})
    EXPECT_EQ(parse_observed_document(text).error().kind, ErrorKind::kBadDocument) << text;
  const json::object document = json::parse(to_document(ObservedState{})).as_object();
  for (const auto& [key, value] : document) {
    json::object without = document;
    without.erase(key);
    EXPECT_FALSE(parse_observed_document(json::serialize(without)).has_value()) << key;
  }
}

}  // namespace
}  // namespace oriel
