#include "api/mcp/task_progress.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::SizeIs;

constexpr WallTime kStart{std::chrono::hours(1000)};

SessionEvent event_at(seconds time, EventPayload payload, std::string task_id = "task_1") {
  SessionEvent event;
  event.session_id = "ses_1";
  event.task_id = std::move(task_id);
  event.timestamp = kStart + time;
  event.payload = std::move(payload);
  return event;
}

SessionEvent call_at(seconds time, std::string id, std::string name, std::string input) {
  return event_at(
      time,
      event::ToolCall{.id = std::move(id), .name = std::move(name), .input = std::move(input)});
}

PendingPermission permission() {
  PendingPermission pending;
  pending.permission_id = "perm_1";
  pending.asked.title = "Write note.txt";
  pending.asked_at = kStart + seconds(5);
  return pending;
}

event::StateTransition to(WorkState state) {
  return {.from = WorkState::kIdle, .to = state, .trigger = StateTrigger::kWork};
}

TEST(TaskProgress, DurationsAreInWords) {
  EXPECT_EQ(duration_in_words(milliseconds(-5)), "0 s");
  EXPECT_EQ(duration_in_words(milliseconds(32'900)), "32 s");
  EXPECT_EQ(duration_in_words(seconds(125)), "2 min 5 s");
  EXPECT_EQ(duration_in_words(seconds(3780)), "1 h 3 min");
}

TEST(TaskProgress, BeforeItsWorkTheTaskWaitsForTheAgent) {
  TaskProgress progress("task_1", kStart);
  EXPECT_EQ(progress.take(event_at(seconds(0), event::UserMessage{})), "message accepted");
  EXPECT_EQ(progress.at(kStart + seconds(3)), "waiting for the agent, 3 s");
  EXPECT_EQ(progress.take(event_at(seconds(4), event::AgentReady{}, "")), "the agent is ready");
  EXPECT_EQ(progress.take(event_at(seconds(5), to(WorkState::kProcessing))),
            "the agent is working, 0 s");
  EXPECT_EQ(progress.at(kStart + seconds(37)), "the agent is working, 32 s");
}

TEST(TaskProgress, NoDurationGoesBackWhenAnEventComesLate) {
  TaskProgress progress("task_1", kStart);
  progress.take(event_at(seconds(1), to(WorkState::kProcessing)));
  EXPECT_EQ(progress.at(kStart + seconds(10)), "the agent is working, 9 s");
  EXPECT_EQ(progress.take(event_at(seconds(8), to(WorkState::kProcessing))),
            "the agent is working, 9 s");
  EXPECT_EQ(progress.at(kStart + seconds(12)), "the agent is working, 11 s");
}

TEST(TaskProgress, ATaskThatWaitsAgainCountsFromItsBegin) {
  SessionState session;
  session.task_id = "task_1";
  session.is_in_task = true;
  session.state_since = kStart + seconds(30);  // its last change
  TaskProgress replayed("task_1", kStart + seconds(40));
  replayed.begin_with(session);
  replayed.take(event_at(seconds(1), to(WorkState::kProcessing)));
  EXPECT_EQ(replayed.at(kStart + seconds(41)), "the agent is working, 40 s");
  TaskProgress known("task_1", kStart + seconds(40), replayed.works_since());
  known.begin_with(session);
  EXPECT_EQ(known.at(kStart + seconds(41)), "the agent is working, 40 s");
}

TEST(TaskProgress, ValuesRiseWithTheTimeAndThroughARestart) {
  TaskProgress progress("task_1", kStart + seconds(1));
  progress.take(event_at(seconds(0), event::UserMessage{}));
  EXPECT_EQ(progress.next_value(kStart + seconds(9)), 9);
  const double last = progress.next_value(kStart + seconds(9));
  EXPECT_GT(last, 9);
  EXPECT_GT(progress.next_value(kStart + seconds(2)), last);
  TaskProgress again("task_1", kStart + seconds(60));
  again.take(event_at(seconds(0), event::UserMessage{}));
  EXPECT_EQ(again.next_value(kStart + seconds(61)), 61);
}

TEST(TaskProgress, ACommandIsNamedWithItsDuration) {
  TaskProgress progress("task_1", kStart);
  EXPECT_EQ(progress.take(call_at(seconds(1), "t1", "Bash", R"({"command":"npm test"})")),
            "running npm test");
  EXPECT_EQ(progress.at(kStart + seconds(33)), "running npm test, 32 s");
  event::ToolResult result;
  result.id = "t1";
  result.name = "Bash";
  result.duration = seconds(40);
  EXPECT_EQ(progress.take(event_at(seconds(41), result)), "done: npm test, 40 s");
  EXPECT_EQ(progress.at(kStart + seconds(50)), "the agent is working, 49 s");
}

TEST(TaskProgress, OtherToolsAreNamedWithTheirArgumentAndTheNewestCounts) {
  TaskProgress progress("task_1", kStart);
  progress.take(call_at(seconds(1), "t1", "Task", "{}"));
  EXPECT_EQ(progress.at(kStart + seconds(2)), "running Task, 1 s");
  progress.take(call_at(seconds(2), "t2", "Read", R"({"file_path":"src/main.cpp"})"));
  EXPECT_EQ(progress.at(kStart + seconds(4)), "running Read src/main.cpp, 2 s");
  event::ToolResult failed;
  failed.id = "t2";
  failed.is_ok = false;
  EXPECT_EQ(progress.take(event_at(seconds(5), failed)), "failed: Read src/main.cpp, 0 s");
  EXPECT_EQ(progress.at(kStart + seconds(6)), "running Task, 5 s");
}

TEST(TaskProgress, AnOpenPermissionOutranksTheToolThatWaitsForIt) {
  TaskProgress progress("task_1", kStart);
  progress.take(call_at(seconds(1), "t1", "Write", "{}"));
  EXPECT_EQ(progress.take(event_at(seconds(5), event::PermissionRequested{permission()})),
            "waiting for an answer: Write note.txt");
  EXPECT_EQ(progress.at(kStart + seconds(9)), "waiting for an answer: Write note.txt, 4 s");
  event::PermissionResolved resolved;
  resolved.permission = permission();
  resolved.status = PermissionStatus::kExpired;
  EXPECT_EQ(progress.take(event_at(seconds(10), resolved)), "expired: Write note.txt");
  EXPECT_EQ(progress.at(kStart + seconds(11)), "running Write, 10 s");
}

TEST(TaskProgress, ATaskBehindAnotherOneIsQueued) {
  TaskProgress progress("task_1", kStart);
  SessionState session;
  session.is_in_task = true;
  session.task_id = "task_0";
  session.tools = {{.tool_call_id = "t0", .tool_name = "Bash", .since = kStart}};
  progress.begin_with(session);
  EXPECT_EQ(progress.at(kStart + seconds(2)), "queued behind another task, 2 s");
  EXPECT_EQ(progress.take(event_at(seconds(3), event::Completion{}, "task_0")),
            "another task has ended");
  EXPECT_EQ(progress.at(kStart + seconds(4)), "waiting for the agent, 4 s");
  progress.take(event_at(seconds(5), to(WorkState::kProcessing)));
  EXPECT_EQ(progress.at(kStart + seconds(6)), "the agent is working, 1 s");
}

TEST(TaskProgress, ATaskThatRunsAlreadyIsKnownFromItsSession) {
  TaskProgress progress("task_1", kStart);
  SessionState session;
  session.is_in_task = true;
  session.task_id = "task_1";
  session.state_since = kStart - seconds(60);
  progress.begin_with(session);
  EXPECT_EQ(progress.at(kStart), "the agent is working, 1 min 0 s");
  session.tools = {{.tool_call_id = "t1", .tool_name = "Bash", .since = kStart - seconds(10)}};
  session.pending = {permission()};
  progress.begin_with(session);
  EXPECT_EQ(progress.at(kStart + seconds(6)), "waiting for an answer: Write note.txt, 1 s");
}

TEST(TaskProgress, EachEventIsInWords) {
  const auto words = [](EventPayload payload) {
    TaskProgress progress("task_1", kStart);
    return progress.take(event_at(seconds(1), std::move(payload)));
  };
  event::Completion failed;
  failed.outcome = TaskEnd::kError;
  failed.detail = "no quota";
  EXPECT_EQ(words(event::Completion{}), "the task is completed");
  EXPECT_EQ(words(failed), "the task has failed: no quota");
  EXPECT_EQ(words(event::TaskError{.message = "busy"}), "error: busy");
  EXPECT_EQ(words(event::Notice{.text = "compacting"}), "compacting");
  EXPECT_EQ(words(event::AssistantMessage{.number = 1, .text = "x"}), "the agent is writing");
  EXPECT_EQ(words(event::StatusChanged{.status = SessionStatus::kRunning, .reason = {}}),
            "the agent is working, 0 s");
  EXPECT_EQ(words(event::StatusChanged{.status = SessionStatus::kFailed, .reason = "killed"}),
            "the session has failed: killed");
  EXPECT_EQ(words(event::TurnCreated{}), "waiting for the agent, 1 s");
  EXPECT_EQ(words(event::SessionEnded{}), "the session has ended");
}

TEST(TaskProgress, TextsOfAnAgentAreShortVisibleAndInOneLine) {
  TaskProgress progress("task_1", kStart);
  EXPECT_EQ(progress.take(event_at(seconds(1), event::Notice{.text = "a\u202eb\nsecond"})),
            "a⟨U+202E⟩b…");
  const std::string said =
      progress.take(event_at(seconds(1), event::Notice{.text = std::string(500, 'x')}));
  EXPECT_THAT(said, SizeIs(80 + std::string_view("…").size()));
  EXPECT_THAT(said, EndsWith("x…"));
}

}  // namespace
}  // namespace oriel
