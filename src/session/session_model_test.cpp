// Every order of a few commands, events of the agent, stops, kills and restarts, around the real
// state machine: whatever was stored, a restart leaves nothing that waits for ever.

#include "session/session_testing.h"

#include <deque>
#include <map>
#include <set>
#include <utility>

namespace oriel {
namespace {

using namespace std::chrono_literals;

enum class LifeAction {
  kMessage,
  kAgentReady,
  kText,
  kToolCall,
  kToolResult,
  kAsk,
  kAnswer,
  kDone,
  kAgentGone,
  kCancel,
  kEnd,
  kTimePasses,  // beyond every limit
  kStop,        // an orderly end, then a restart
  kRestart,     // after a kill
};

constexpr std::chrono::seconds kLimit{10};
constexpr SessionLimits kLimits{
    .start_timeout = kLimit, .permission_timeout = kLimit, .cancel_timeout = kLimit};

// One session over several lives of Oriel, and what the journal has of it.
class SessionLife {
 public:
  SessionLife() {
    session_.create();
    store();
  }

  bool can(LifeAction action) const {
    switch (action) {
      case LifeAction::kMessage:
        return messages_ < kMostMessages;
      case LifeAction::kAsk:
        return asked_ < kMostQuestions;
      case LifeAction::kAnswer:
        return !session_.state().pending.empty();
      case LifeAction::kStop:
      case LifeAction::kRestart:
        return restarts_ < kMostRestarts;
      default:
        return true;
    }
  }

  void perform(LifeAction action) {
    switch (action) {
      case LifeAction::kMessage:
        session_.message("text " + std::to_string(++messages_));
        break;
      case LifeAction::kAgentReady:
        session_.agent(kReady);
        break;
      case LifeAction::kText:
        session_.agent(piece("text"));
        break;
      case LifeAction::kToolCall:
        session_.agent(call("t1"));
        break;
      case LifeAction::kToolResult:
        session_.agent(result("t1", "output"));
        break;
      case LifeAction::kAsk:
        session_.agent(ask_to("p" + std::to_string(++asked_), "write a file"));
        break;
      case LifeAction::kAnswer:
        session_.answer(session_.pending_id(), allow(true));
        break;
      case LifeAction::kDone:
        session_.agent(kDone);
        break;
      case LifeAction::kAgentGone:
        session_.gone("exited");
        break;
      case LifeAction::kCancel:
        session_.cancel();
        break;
      case LifeAction::kEnd:
        session_.end();
        break;
      case LifeAction::kTimePasses:
        session_.pass(kLimit + 1s);
        break;
      case LifeAction::kStop:
        session_.interrupt("Oriel was stopped");
        store();
        [[fallthrough]];
      case LifeAction::kRestart:
        return restart();
    }
    store();
  }

  // As the journal has it and a new process finds it.
  void restart() {
    ++restarts_;
    SessionState found = parse_document(document_).value();
    found.last_index = session_.state().last_index;
    session_ = TestSession(kLimits, PermissionMode::kAsk, std::move(found));
    seen_ = 0;
    std::vector<Turn> turns;
    for (const auto& [id, turn] : turns_)
      turns.push_back(turn);
    last_ = session_.interrupt("Oriel was restarted", turns);
    store();
  }

  // Empty if nothing waits for what will never come.
  std::string problem() const {
    const SessionState& state = session_.state();
    if (state.is_in_task || state.status == SessionStatus::kRunning) return "a task runs";
    if (!state.pending.empty() || state.state == WorkState::kAwaitingInput)
      return "a permission is pending";
    if (!state.queue.empty()) return "a message waits";
    if (state.state == WorkState::kCommanded || state.state == WorkState::kProcessing)
      return "it is at work";
    for (const auto& [id, open] : permissions_)
      if (open != 0) return "a permission has " + std::to_string(1 - open) + " resolutions";
    for (const auto& [id, open] : tasks_)
      if (open != 0) return "a task has " + std::to_string(1 - open) + " completions";
    return "";
  }

  const Lines& last() const { return last_; }

  // Equal for lives that go on alike.
  std::string key() const {
    const SessionState& state = session_.state();
    std::string key;
    const auto add = [&key](auto number) { key += std::to_string(number) + ' '; };
    for (const int number : {messages_, asked_, restarts_, static_cast<int>(state.status),
                             static_cast<int>(state.state)})
      add(number);
    for (const bool is_so : {state.is_in_task, state.is_live, state.agent_session_id.empty()})
      add(static_cast<int>(is_so));
    for (const std::size_t size : {state.queue.size(), state.pending.size(), state.tools.size(),
                                   turns_.size(), permissions_.size(), tasks_.size()})
      add(size);
    add(static_cast<int>(session_.wake_at().has_value()));
    return key;
  }

 private:
  static constexpr int kMostMessages = 2;
  static constexpr int kMostQuestions = 1;
  static constexpr int kMostRestarts = 1;

  // Counts what is new, and stores the state as EventOutbox does: not for deltas alone.
  void store() {
    const std::vector<EventView>& events = session_.events();
    bool changes_state = false;
    for (; seen_ < events.size(); ++seen_) {
      const EventView& event = events[seen_];
      changes_state = changes_state || event.type != "delta";
      if (event.type == "message" && event.role == "user") ++tasks_[event.task_id];
      if (event.type == "completion") --tasks_[event.task_id];
      if (event.type != "permission") continue;
      const std::string id(event.data->at("permission_id").as_string());
      permissions_[id] += event.status == "pending" ? 1 : -1;
    }
    for (const Turn& turn : session_.turns())
      turns_[turn.turn_id] = turn;
    if (changes_state || document_.empty()) document_ = to_document(session_.state());
  }

  TestSession session_{kLimits};
  std::size_t seen_ = 0;  // events of session_
  std::string document_;
  std::map<std::string, Turn> turns_;
  std::map<std::string, int> permissions_;  // requests less resolutions
  std::map<std::string, int> tasks_;        // messages less completions
  Lines last_;                              // of the restart
  int messages_ = 0;
  int asked_ = 0;
  int restarts_ = 0;
};

constexpr LifeAction kAllLifeActions[] = {
    LifeAction::kMessage,    LifeAction::kAgentReady, LifeAction::kText,   LifeAction::kToolCall,
    LifeAction::kToolResult, LifeAction::kAsk,        LifeAction::kAnswer, LifeAction::kDone,
    LifeAction::kAgentGone,  LifeAction::kCancel,     LifeAction::kEnd,    LifeAction::kTimePasses,
    LifeAction::kStop,       LifeAction::kRestart,
};

// Calls `visit` with every life that can be reached, and returns their number.
template <class Visit>
std::size_t visit_lives(Visit visit) {
  constexpr std::size_t kMostLives = 20'000;  // far more than there are: the bounds are small
  std::deque<SessionLife> open(1);
  std::set<std::string> known;
  while (!open.empty() && known.size() < kMostLives) {
    const SessionLife life = std::move(open.front());
    open.pop_front();
    if (!known.insert(life.key()).second) continue;
    visit(life);
    for (const LifeAction action : kAllLifeActions) {
      if (!life.can(action)) continue;
      SessionLife next = life;
      next.perform(action);
      open.push_back(std::move(next));
    }
  }
  EXPECT_LT(known.size(), kMostLives) << "not every life was visited";
  return known.size();
}

TEST(SessionModel, ARestartAfterAKillAtAnyPointLeavesNothingRunningOrPendingAndASecondNothingToDo) {
  std::size_t failures = 0;
  const auto fail = [&](const std::string& problem, const SessionLife& life) {
    if (++failures <= 3) ADD_FAILURE() << problem << " after a kill in " << life.key();
  };
  const std::size_t lives = visit_lives([&](const SessionLife& life) {
    SessionLife killed = life;
    killed.restart();
    if (!killed.problem().empty()) return fail(killed.problem(), life);
    killed.restart();
    if (!killed.last().empty()) fail("again " + killed.last().front(), life);
  });
  EXPECT_GT(lives, 100U);
}

}  // namespace
}  // namespace oriel
