#pragma once
// An observed agent with its documents, as its runner keeps them, for tests: what follows from a
// call is stored, and the agent can be made anew from what was stored.

#include "turn/observed_agent.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <iostream>
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

class ObservedWorld {
 public:
  explicit ObservedWorld(const std::string& session_id = "agent-1")
      : agent_(std::make_unique<ObservedAgent>(first_state(session_id))) {}

  ObservedAgent& agent() { return *agent_; }

  const ObservedState& state() const { return agent_->state(); }

  const std::vector<SessionEvent>& events() const { return events_; }

  void keep(ObservedStep step) {
    for (const Turn& turn : step.turns)
      documents_[turn.turn_id] = to_document(turn);
    for (const std::string& turn_id : step.withdrawn)
      EXPECT_EQ(documents_.erase(turn_id), is_new(step, turn_id) ? 0U : 1U) << turn_id;
    if (step.is_changed || !step.is_empty()) document_ = to_document(agent_->state());
    if (std::getenv("ORIEL_TELL")) for (const SessionEvent& event : step.events) { std::cerr << "      " << event.feed_type << " " << event.text << " " << event.turn_id << (event.data ? " " + boost::json::serialize(*event.data) : "").substr(0,400) << "\n"; }
    for (SessionEvent& event : step.events)
      events_.push_back(std::move(event));
  }

  void hook(const HookEvent& hook, WallTime now) {
    if (std::getenv("ORIEL_TELL")) std::cerr << "HOOK " << (now - at_ms(0)).count() << " " << name_of(hook.kind) << " p=" << hook.prompt_id << " " << hook.prompt << hook.last_text << " " << hook.tool_name << hook.tool_call_id << " " << boost::json::serialize(hook.tool_input) << "\n";
    keep(agent_->on_hook(hook, moment_at(now)));
  }

  void entries(TranscriptNews news, WallTime now) {
    if (std::getenv("ORIEL_TELL")) for (auto& e : news.entries) std::cerr << "ENTRY " << (now - at_ms(0)).count() << " " << int(e.kind) << " " << e.id << " @" << (e.time ? (*e.time - at_ms(0)).count() : -1) << " " << e.text << " " << e.tool_call_id << e.ends_turn << e.is_sidechain << "\n";
    keep(agent_->on_entries(news, moment_at(now)));
  }

  void tick(WallTime now, Liveness liveness = Liveness::kAlive) {
    keep(agent_->tick(moment_at(now), liveness));
  }

  void restart() {
    if (document_.empty()) return;
    const Result<ObservedState> state = parse_observed_document(document_);
    ASSERT_TRUE(state) << state.error().message;
    agent_ = std::make_unique<ObservedAgent>(*state, turns());
  }

  // In their order.
  std::vector<Turn> turns() const {
    std::vector<Turn> turns;
    for (const auto& [turn_id, document] : documents_) {
      const Result<Turn> turn = parse_turn_document(document);
      EXPECT_TRUE(turn) << document;
      if (turn) turns.push_back(*turn);
    }
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.key() < b.key(); });
    return turns;
  }

  // The names on the feed, with what tells them apart.
  std::vector<std::string> told(const std::string& feed_type) const {
    std::vector<std::string> lines;
    for (const SessionEvent& event : events_) {
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

  // Made and withdrawn in one step: it was never stored.
  bool is_new(const ObservedStep& step, const std::string& turn_id) const {
    const bool is_made =
        std::any_of(step.events.begin(), step.events.end(), [&](const auto& event) {
          return event.feed_type == "turn_created" && event.turn_id == turn_id;
        });
    return is_made && !documents_.contains(turn_id);
  }

  std::unique_ptr<ObservedAgent> agent_;
  std::map<std::string, std::string> documents_;
  std::string document_;
  std::vector<SessionEvent> events_;
};

// "user command: hello", in their order.
inline std::vector<std::string> in_short(const std::vector<Turn>& turns) {
  std::vector<std::string> lines;
  for (const Turn& turn : turns)
    lines.push_back(std::string(name_of(turn.actor)) + " " + std::string(name_of(turn.intent)) +
                    ": " + turn.text);
  return lines;
}

}  // namespace oriel
