// Real agents, replayed: what holds of every agent's task, and what each of them did.

#include "agent/adapters/replay_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace oriel {
namespace {

struct Expected {
  std::string name;
  std::string ends;  // of its tasks: completed, cancelled, error, exit
  int tools = 0;
  int questions = 0;
  bool has_usage = true;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.name;
}

// Checks one event after the other.
class Invariants {
 public:
  void check(const AgentEvent& event) {
    std::visit([this](const auto& each) { see(each); }, event);
  }

  void check_end() {
    EXPECT_FALSE(is_running_);
    for (const auto& [id, results] : tools_)
      EXPECT_EQ(results, 1) << "results of " << id;
  }

  std::string ends;
  int questions = 0;

  int tools() const { return static_cast<int>(tools_.size()); }

  bool has_usage = false;

 private:
  void see(const AgentReady& ready) { EXPECT_NE(ready.agent_session_id, ""); }

  void see(const AgentRefused& refused) { ADD_FAILURE() << refused.error.message; }

  void see(const TaskStarted&) {
    EXPECT_FALSE(is_running_) << "started twice";
    is_running_ = true;
    texts_.clear();
    last_text_.clear();
  }

  void see(const TextDelta& delta) {
    EXPECT_TRUE(is_running_);
    texts_[delta.message_id] += delta.text;
  }

  void see(const ThoughtDelta& thought) {
    EXPECT_TRUE(is_running_);
    EXPECT_NE(thought.text, "");
  }

  void see(const TextDropped& dropped) {
    if (dropped.message_id.empty())
      texts_.clear();
    else
      texts_.erase(dropped.message_id);
  }

  void see(const TextFinished& finished) {
    EXPECT_TRUE(is_running_);
    const auto pieces = texts_.find(finished.message_id);
    if (pieces != texts_.end()) {
      EXPECT_EQ(pieces->second, finished.text);
      texts_.erase(pieces);
    }
    last_text_ = finished.text;
  }

  void see(const ToolCalled& called) {
    EXPECT_TRUE(is_running_);
    EXPECT_NE(called.name, "");
    EXPECT_TRUE(tools_.try_emplace(called.id, 0).second) << "called twice: " << called.id;
  }

  void see(const ToolFinished& finished) {
    EXPECT_TRUE(is_running_);
    EXPECT_TRUE(tools_.contains(finished.id)) << "never called: " << finished.id;
    ++tools_[finished.id];
  }

  void see(const PermissionAsked& asked) {
    EXPECT_TRUE(is_running_);
    EXPECT_NE(asked.title, "");
    EXPECT_TRUE(tools_.contains(asked.tool_call_id)) << "about an unknown tool";
    const auto is_offered = [&asked](OptionKind kind) {
      return std::ranges::find(asked.options, kind, &PermissionOption::kind) != asked.options.end();
    };
    EXPECT_TRUE(!asked.questions.empty() ||
                (is_offered(OptionKind::kAllowOnce) && is_offered(OptionKind::kRejectOnce)));
    ++questions;
  }

  void see(const PermissionWithdrawn&) { EXPECT_TRUE(is_running_); }

  void see(const UsageReported& reported) {
    EXPECT_TRUE(is_running_);
    EXPECT_FALSE(reported.usage.is_empty());
    has_usage = true;
  }

  void see(const ErrorReported& error) {
    EXPECT_TRUE(is_running_);
    EXPECT_THAT(error.message, testing::AnyOf(testing::HasSubstr("mock error 400"),
                                              testing::HasSubstr("process_exit")));
    EXPECT_THAT(error.message, testing::Not(testing::HasSubstr("{")));
  }

  void see(const NoticeGiven& notice) { EXPECT_NE(notice.text, ""); }

  void see(const TaskEnded& ended) {
    EXPECT_TRUE(is_running_) << "ended twice";
    is_running_ = false;
    if (!ends.empty()) ends += ' ';
    if (ended.detail == "exit") {
      ends += "exit";
      return;
    }
    EXPECT_TRUE(texts_.empty()) << "pieces that never became a message";
    switch (ended.reason) {
      case TaskEnd::kCompleted:
        EXPECT_NE(last_text_, "");
        ends += "completed";
        break;
      case TaskEnd::kCancelled:
        ends += "cancelled";
        break;
      case TaskEnd::kError:
        ends += "error";
        break;
    }
  }

  bool is_running_ = false;
  std::map<std::string, std::string> texts_;
  std::string last_text_;
  std::map<std::string, int> tools_;
};

class Recording : public testing::TestWithParam<Expected> {};

TEST_P(Recording, ReplaysAsACleanStream) {
  const Expected& expected = GetParam();
  Invariants invariants;
  for (const AgentEvent& event : Replay(expected.name).run())
    invariants.check(event);
  invariants.check_end();
  EXPECT_EQ(invariants.ends, expected.ends);
  EXPECT_EQ(invariants.tools(), expected.tools);
  EXPECT_EQ(invariants.questions, expected.questions);
  EXPECT_EQ(invariants.has_usage, expected.has_usage);
}

std::string test_name(const testing::TestParamInfo<Expected>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char each) { return each == '-' || each == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    R_AGENT_1, Recording,
    testing::Values(Expected{"droid-stream-jsonrpc",
                             "completed completed completed cancelled error", 3, 2},
                    Expected{"droid-0.99.0-stream-jsonrpc",
                             "completed completed completed cancelled error", 3, 2},
                    Expected{"droid-0.225.2-stream-jsonrpc",
                             "completed completed completed cancelled error", 3, 2},
                    Expected{"droid-stream-jsonrpc-ask-user", "completed", 1, 1},
                    Expected{"droid-stream-jsonrpc-resume",
                             "completed completed completed cancelled error", 1, 0}),
    test_name);

INSTANTIATE_TEST_SUITE_P(
    R_AGENT_2, Recording,
    testing::Values(
        Expected{"claude-agent-acp-acp",
                 "completed completed completed cancelled error cancelled completed", 4, 2},
        Expected{"claude-code-acp-acp",
                 "completed completed completed cancelled error cancelled completed", 4, 2, false},
        Expected{"codex-acp-acp",
                 "completed completed completed cancelled error cancelled completed", 3, 0},
        Expected{"copilot-acp",
                 "completed completed completed cancelled completed cancelled completed", 4, 3},
        Expected{"droid-acp",
                 "completed completed completed cancelled error completed cancelled completed", 5,
                 4, false},
        Expected{"gemini-acp",
                 "completed completed completed cancelled error completed cancelled completed", 5,
                 4},
        Expected{"opencode-acp",
                 "completed completed completed cancelled error completed cancelled completed", 5,
                 4},
        Expected{"qwen-acp", "completed completed completed cancelled error completed completed", 4,
                 2, false}),
    test_name);

INSTANTIATE_TEST_SUITE_P(
    Others, Recording,
    testing::Values(
        Expected{"claude-stream-json",
                 "completed completed completed cancelled error completed completed completed "
                 "completed",
                 3, 2},
        Expected{"qwen-stream-json", "completed completed completed exit completed", 3, 2},
        Expected{"codex-app-server",
                 "completed completed completed cancelled error cancelled completed", 4, 4}),
    test_name);

// The names of its tools and the titles of its questions, without repetition.
std::set<std::string> names_in(const std::string& recording) {
  std::set<std::string> names;
  for (const AgentEvent& event : Replay(recording).run()) {
    if (const auto* called = std::get_if<ToolCalled>(&event)) names.insert(called->name);
    if (const auto* asked = std::get_if<PermissionAsked>(&event)) names.insert(asked->title);
  }
  return names;
}

TEST(R_AGENT_2, ToolsHaveNamesAndQuestionsTheirCommands) {
  using testing::ElementsAre;
  const std::string made = "Run: echo hello > out.txt && cat out.txt";
  const std::string denied = "Run: touch deny-me.txt";
  EXPECT_THAT(names_in("copilot-acp"),
              ElementsAre(made, "Run: sleep 61", denied, "execute", "read"));
  EXPECT_THAT(names_in("gemini-acp"),
              ElementsAre(made, "Run: sleep 61", denied, "Writing to made.txt", "read_file",
                          "run_shell_command", "write_file"));
  EXPECT_THAT(names_in("opencode-acp"), ElementsAre("/workspace/made.txt", made, "Run: sleep 61",
                                                    denied, "bash", "read", "write"));
  EXPECT_THAT(names_in("qwen-acp"),
              ElementsAre(made, denied, "execute", "read_file", "run_shell_command"));
  EXPECT_THAT(names_in("claude-agent-acp-acp"), ElementsAre("Bash", "Read", made, denied));
  EXPECT_THAT(names_in("codex-acp-acp"), ElementsAre("execute"));
}

// Of the tasks of a recording, as a session adds them up.
std::int64_t input_tokens(const std::string& recording) {
  Usage total;
  Usage task;
  for (const AgentEvent& event : Replay(recording).run()) {
    if (const auto* reported = std::get_if<UsageReported>(&event)) update(task, reported->usage);
    if (std::holds_alternative<TaskEnded>(event)) add(total, std::exchange(task, {}));
  }
  return total.input_tokens.value_or(-1);
}

// Copilot reports 64388 tokens in its first process and 11127 in its second, Codex 82830 for its
// thread.
TEST(R_AGENT_1, TheTasksOfASessionUseNoMoreTokensThanItsAgentCounts) {
  EXPECT_EQ(input_tokens("copilot-acp"), 64388 + 11127);
  EXPECT_EQ(input_tokens("codex-app-server"), 82830);
}

// Gemini answers session/load and tells the history afterwards; the prompt that was sent in between
// got old tools and texts into its task.
TEST(R_AGENT_2, AHistoryThatComesAfterItsLoadWasAnsweredNeverGetsIntoATask) {
  const std::vector<RecordedRow> rows = read_recording("gemini-acp-replay-leak");
  const auto restart = std::ranges::find_if(rows, [](const RecordedRow& row) {
    return row.direction == "note" && text_of(row.line).starts_with("restart");
  });
  ASSERT_NE(restart, rows.end());
  const auto adapter = make_adapter(AdapterKind::kAcp);
  adapter->start(
      {.workspace = "/workspace", .resume_id = "s", .model = "", .auth_method = "gemini-api-key"});
  int updates_after_load = 0;
  bool is_loaded = false;
  for (auto row = restart; row != rows.end(); ++row) {
    // The prompt of the recording is not asked of the adapter: it is not ready for it.
    if (row->direction != "out") continue;
    if (text_of(member(row->line, "params", "update", "sessionUpdate")) ==
        "available_commands_update")
      break;
    const AgentStep step = adapter->receive(json::serialize(row->line));
    EXPECT_THAT(step.events, testing::IsEmpty());
    EXPECT_EQ(step.wait_for_quiet.has_value(), is_loaded || member(row->line, "id") == 3);
    is_loaded |= member(row->line, "id") == 3;
    updates_after_load += is_loaded ? 1 : 0;
  }
  EXPECT_GT(updates_after_load, 10);
  EXPECT_THAT(adapter->quiet().events, testing::ElementsAre(AgentReady{"s", "0.61.0"}));
}

}  // namespace
}  // namespace oriel
