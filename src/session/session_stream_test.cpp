#include "session/session_testing.h"
#include "session/stream_rules_testing.h"

#include <gmock/gmock.h>

#include <random>

namespace oriel {
namespace {

using namespace std::chrono_literals;

// Lives through random days, with an agent that keeps to no order at all.
class RandomDays {
 public:
  RandomDays(unsigned seed, PermissionMode mode)
      : random_(seed), mode_(mode), session_(limits(), mode) {
    session_.create();
  }

  void live(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      step();
    }
    follow(session_.end(), false);
    rules_.check_at_end();
  }

 private:
  enum class AgentIs { kNone, kStarting, kReady };

  static SessionLimits limits() {
    return {.max_queued_messages = 3,
            .max_remembered_requests = 4,
            .start_timeout = 5s,
            .permission_timeout = 3s,
            .cancel_timeout = 2s,
            .task_timeout = 20s};
  }

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  template <class T>
  T one_of(std::vector<T> choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

  void step() {
    const int dice = below(100);
    if (dice < 55) return act();
    if (dice < 75) return pass(one_of<std::chrono::milliseconds>({1ms, 100ms, 250ms, 1s, 7s}));
    if (dice < 85)
      return follow(session_.message("hi", one_of<std::string>({"", "", "r1"})), false);
    if (dice < 90) return follow(session_.cancel(), false);
    if (dice < 95) return answer();
    if (dice < 97) return lose_agent();
    if (dice < 98) return interrupt();
    if (dice < 99) return crash();
    if (agent_ == AgentIs::kReady && !session_.state().is_in_task) {
      agent_ = AgentIs::kNone;
      follow(session_.idle(), false);
    }
  }

  void act() {
    std::vector<AgentEvent> events;
    for (int i = below(4); i >= 0; --i)
      events.push_back(event());
    for (AgentEvent& event : events) {
      const bool is_ready = std::holds_alternative<AgentReady>(event);
      if (is_ready && agent_ == AgentIs::kStarting) agent_ = AgentIs::kReady;
      follow(session_.agent(std::move(event)), false);
    }
  }

  AgentEvent event() {
    const std::string id = one_of<std::string>({"1", "2", "3"});
    switch (below(15)) {
      case 0:
        return AgentRefused{.error = {.kind = ErrorKind::kUnknown, .message = "no", .hint = "no"}};
      case 1:
      case 2:
        return kReady;
      case 3:
        return TaskStarted{};
      case 4:
        return TextDropped{.message_id = one_of<std::string>({"", id})};
      case 5:
        return TextFinished{.message_id = id, .text = one_of<std::string>({"", "ab", "abab"})};
      case 6:
        return ToolCalled{.id = id, .name = "ls", .input = nullptr};
      case 7:
        return ToolFinished{.id = id, .is_ok = true, .output = "x"};
      case 8:
        return asked(id);
      case 9:
        return PermissionWithdrawn{.id = id};
      case 10:
        return one_of<AgentEvent>({ErrorReported{.message = "x"}, NoticeGiven{.text = "x"},
                                   UsageReported{.usage = parse_usage({{"input_tokens", 1}})}});
      case 11:
        return TaskEnded{
            .reason = one_of<TaskEnd>({TaskEnd::kCompleted, TaskEnd::kCancelled, TaskEnd::kError}),
            .detail = ""};
      case 12:
        return ThoughtDelta{.text = "hm"};
      default:
        return TextDelta{.message_id = id, .text = "ab"};
    }
  }

  // An id is unique while the agent waits for it: that much even this one keeps to.
  AgentEvent asked(const std::string& id) const {
    for (const PendingPermission& pending : session_.state().pending) {
      if (pending.asked.id == id) return PermissionWithdrawn{.id = id};
    }
    return ask_to(id, "do");
  }

  void pass(std::chrono::milliseconds time) {
    const SteadyTime until = session_.now().steady + time;
    while (session_.now().steady < until) {
      const SteadyTime next = std::min(session_.session().wake_at().value_or(until), until);
      const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - session_.now().steady);
      follow(session_.pass(wait), true);
      const auto wake = session_.session().wake_at();
      ASSERT_TRUE(!wake || *wake > session_.now().steady) << "what is due is done";
    }
  }

  void answer() {
    if (session_.state().pending.empty()) return;
    follow(session_.answer(session_.pending_id(), allow(below(2) == 0)), false);
  }

  void lose_agent() {
    if (agent_ == AgentIs::kNone) return;
    agent_ = AgentIs::kNone;
    follow(session_.gone("died"), false);
  }

  void interrupt() {
    agent_ = AgentIs::kNone;
    follow(session_.interrupt("Oriel ends"), false);
  }

  void crash() {
    agent_ = AgentIs::kNone;
    rules_.forget_process();
    const auto found = parse_document(to_document(session_.state()));
    ASSERT_TRUE(found) << found.error().message;
    session_ = TestSession(limits(), mode_, *found);
    checked_ = 0;
    follow(session_.interrupt("Oriel was restarted"), false);
  }

  void follow(const Lines& lines, bool by_time) {
    for (const std::string& line : lines)
      carry_out(line);
    const auto& events = session_.events();
    rules_.check({events.begin() + static_cast<std::ptrdiff_t>(checked_), events.end()},
                 session_.now().steady, by_time);
    checked_ = events.size();
    check_state();
  }

  void carry_out(const std::string& line) {
    if (line.starts_with("> start")) {
      EXPECT_EQ(agent_, AgentIs::kNone);
      agent_ = AgentIs::kStarting;
    }
    const bool is_for_task = line.starts_with("> prompt") || line == "> cancel";
    EXPECT_TRUE(!is_for_task || agent_ == AgentIs::kReady) << line;
    EXPECT_TRUE(!line.starts_with("> answer") || agent_ != AgentIs::kNone) << line;
    if (line == "> stop") agent_ = AgentIs::kNone;
  }

  void check_state() {
    const SessionState& state = session_.state();
    EXPECT_EQ(state.state == WorkState::kAwaitingInput, !state.pending.empty());
    EXPECT_EQ(state.is_live, agent_ == AgentIs::kReady);
    EXPECT_EQ(state.status == SessionStatus::kFailed, !state.reason.empty());
    EXPECT_LE(state.queue.size(), 3U);
    EXPECT_TRUE(state.is_in_task || state.status != SessionStatus::kRunning);
    const bool has_work = state.is_in_task || !state.queue.empty();
    EXPECT_FALSE(has_work && agent_ == AgentIs::kNone) << "nobody will end it";
    EXPECT_FALSE(has_work && state.state == WorkState::kIdle);
  }

  std::mt19937 random_;
  PermissionMode mode_;
  TestSession session_;
  AgentIs agent_ = AgentIs::kNone;
  StreamRules rules_;
  std::size_t checked_ = 0;
};

TEST(R_STATUS_4, TheStreamKeepsItsRulesWhateverAgentAndPeopleDo) {
  for (unsigned seed = 0; seed < 80 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomDays(seed, seed % 5 == 0 ? PermissionMode::kAllow : PermissionMode::kAsk).live(150);
  }
}

}  // namespace
}  // namespace oriel
