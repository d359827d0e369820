#pragma once
// An agent that somebody runs elsewhere: its hooks and its transcript in, its events and turns out.
// Hooks are early and may be lost, repeated and out of order (observed/hook_rules.h); the
// transcript is late and right (observed/entry_rules.h). Pure: no I/O, no clock.

#include "base/moment.h"
#include "base/turn.h"
#include "observed/hook.h"
#include "observed/observed_state.h"
#include "observed/observed_step.h"
#include "observed/project.h"
#include "observed/transcript_progress.h"
#include "observed/turn_book.h"

#include <chrono>
#include <string>
#include <vector>

namespace oriel {

struct ObservedLimits {
  std::chrono::milliseconds silent_after = std::chrono::minutes(1);
  std::chrono::milliseconds tool_long_after = std::chrono::minutes(1);
  std::chrono::milliseconds orphan_after = std::chrono::seconds(30);  // provisional turns
};

// Whether the agent's process exists.
enum class Liveness { kUnknown, kAlive, kGone };

// After a restart it is made of its document and those of its turns, and continues as before.
class ObservedAgent {
 public:
  explicit ObservedAgent(ObservedState state, const std::vector<Turn>& turns = {},
                         ObservedLimits limits = {});

  const ObservedState& state() const { return state_; }

  // Later projects are ignored.
  void join_project(const Project& project);

  // A hook of this agent, whatever its session id: Correlation has decided.
  ObservedStep on_hook(const HookEvent& hook, Moment now);

  ObservedStep on_entries(const EntryBatch& batch, Moment now);

  // The last batch of an import was read, and some of it was new. Publishes one event.
  ObservedStep end_import(Moment now);

  // The current transcript was read to its end: moves on to the one that a hook has named.
  ObservedStep follow_wanted(Moment now);

  // Withdraws provisional turns that the transcript will not have, publishes silence, and ends the
  // session if its process has ended.
  ObservedStep tick(Moment now, Liveness liveness);

 private:
  ObservedStep finish(StepDraft draft);
  bool may_change(const std::string& turn_id) const;
  void note_activity(WallTime now);
  void note_identity(const HookEvent& hook);
  void take_entry(const TranscriptEntry& entry, bool is_last_text, StepDraft& step);
  void end(std::string reason, StepDraft& step);
  Silence silence_at(WallTime now, Liveness liveness) const;

  ObservedState state_;
  ObservedLimits limits_;
  TurnBook turns_;
  ObservedState stored_;  // the state when a step last asked for it to be stored
};

}  // namespace oriel
