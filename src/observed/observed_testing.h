#pragma once
// A fixture for tests: an observed agent whose steps are stored, and which can be restored from its
// documents.

#include "base/event/event_view_testing.h"
#include "base/text/json_line.h"
#include "observed/observed_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

inline WallTime at_ms(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(1'794'000'000'000 + milliseconds));
}

inline Moment moment_at(WallTime time) {
  return {.wall = time, .steady = SteadyTime(time.time_since_epoch())};
}

class ObservedFixture {
 public:
  explicit ObservedFixture(const std::string& session_id = "agent-1")
      : agent_(std::make_unique<ObservedAgent>(first_state(session_id))) {}

  ObservedAgent& agent() { return *agent_; }

  const ObservedState& state() const { return agent_->state(); }

  const std::vector<EventView>& events() const { return events_; }

  void store(ObservedStep step) {
    for (const Turn& turn : step.turns)
      documents_[turn.turn_id] = turn;
    for (const std::string& turn_id : step.withdrawn)
      EXPECT_EQ(documents_.erase(turn_id), is_new(step, turn_id) ? 0U : 1U) << turn_id;
    if (step.is_changed) stored_ = agent_->state();
    EXPECT_TRUE(step.is_changed || step.is_empty());
    for (const SessionEvent& event : step.events)
      events_.push_back(view_of(event));
  }

  void hook(const HookEvent& hook, WallTime now) { store(agent_->on_hook(hook, moment_at(now))); }

  void entries(EntryBatch batch, WallTime now) { store(agent_->on_entries(batch, moment_at(now))); }

  void tick(WallTime now, Liveness liveness = Liveness::kAlive) {
    store(agent_->tick(moment_at(now), liveness));
  }

  void restart() {
    if (stored_.session_id.empty()) return;
    const Result<ObservedState> state = parse_observed_document(to_document(stored_));
    ASSERT_TRUE(state) << state.error().message;
    agent_ = std::make_unique<ObservedAgent>(*state, turns());
  }

  // In their order.
  std::vector<Turn> turns() const {
    std::vector<Turn> turns;
    for (const auto& [turn_id, stored] : documents_) {
      const Result<Turn> turn = parse_turn_document(to_document(stored));
      EXPECT_TRUE(turn) << turn_id;
      if (turn) turns.push_back(*turn);
    }
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.key() < b.key(); });
    return turns;
  }

  // Texts of the published events of this type.
  std::vector<std::string> published(const std::string& feed_type) const {
    std::vector<std::string> lines;
    for (const EventView& event : events_) {
      if (event.feed_type == feed_type) lines.push_back(event.text);
    }
    return lines;
  }

 private:
  static ObservedState first_state(const std::string& session_id) {
    ObservedState state;
    state.session_id = session_id;
    state.project_id = "project";
    return state;
  }

  // Whether the turn was made and withdrawn in one step, and never stored.
  bool is_new(const ObservedStep& step, const std::string& turn_id) const {
    const bool is_made =
        std::any_of(step.events.begin(), step.events.end(), [&](const SessionEvent& event) {
          const auto* const created = event.get_if<event::TurnCreated>();
          return created != nullptr && created->turn.turn_id == turn_id;
        });
    return is_made && !documents_.contains(turn_id);
  }

  std::unique_ptr<ObservedAgent> agent_;
  std::map<std::string, Turn> documents_;
  ObservedState stored_;
  std::vector<EventView> events_;
};

// "user command: hello", ...
inline std::vector<std::string> in_short(const std::vector<Turn>& turns) {
  std::vector<std::string> lines;
  for (const Turn& turn : turns)
    lines.push_back(std::string(name_of(turn.actor)) + " " + std::string(name_of(turn.intent)) +
                    ": " + turn.text);
  return lines;
}

}  // namespace oriel
