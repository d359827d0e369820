#pragma once
// An agent that Oriel does not run. Input: hooks and transcript entries; output: events and turns.
// Hooks are early and may be lost, repeated and out of order (observed/hook_rules.h); the
// transcript is late but authoritative (observed/entry_rules.h). Pure: no I/O, no clock.

#include "base/event/turn.h"
#include "base/moment.h"
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

// After a restart it is restored from its document and the documents of its turns.
class ObservedAgent {
 public:
  explicit ObservedAgent(ObservedState state, const std::vector<Turn>& turns = {},
                         ObservedLimits limits = {});

  const ObservedState& state() const { return state_; }

  // Later projects are ignored.
  void join_project(const Project& project);

  // A hook of this agent, as decided by Correlation. Its session id may differ.
  ObservedStep on_hook(const HookEvent& hook, Moment now);

  ObservedStep on_entries(const EntryBatch& batch, Moment now);

  // Call after the last batch of an import with new entries. Publishes one event.
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
  ObservedState stored_;  // the state as last stored
};

}  // namespace oriel
