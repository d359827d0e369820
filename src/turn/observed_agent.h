#pragma once
// What an agent that somebody runs elsewhere does: its hooks and its transcript in, its events and
// turns out. Hooks are quick and may be lost, doubled and shuffled; the transcript is late and
// true. Pure: no I/O, no clock; its runner passes the time in.

#include "core/moment.h"
#include "core/session_event.h"
#include "turn/hook.h"
#include "turn/observed_state.h"
#include "turn/reconciler.h"
#include "turn/transcript_entry.h"
#include "turn/transcript_place.h"
#include "turn/turn.h"
#include "turn/turn_event.h"

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct ObservedLimits {
  std::chrono::milliseconds silent_after = std::chrono::minutes(1);
  std::chrono::milliseconds tool_long_after = std::chrono::minutes(1);
  std::chrono::milliseconds orphan_after = std::chrono::seconds(30);
};

// Whether the agent's process is there.
enum class Liveness { kUnknown, kAlive, kGone };

// What follows from a call: to be stored in one append, the events in this order.
struct ObservedStep {
  std::vector<SessionEvent> events;
  std::vector<Turn> turns;             // new or changed, as they are now; each once
  std::vector<std::string> withdrawn;  // turn ids: their documents are to be removed
  bool is_changed = false;             // the state is to be stored, too

  bool is_empty() const { return events.empty() && turns.empty() && withdrawn.empty(); }
};

// What a transcript's reader has found.
struct TranscriptNews {
  std::vector<TranscriptEntry> entries;
  TranscriptPlace place;       // behind them
  bool is_from_start = false;  // TranscriptBatch says so
  bool is_import = false;      // of the past: nobody waits for it, and its tools are not told
};

// Lives with its runner. After a restart it is made of its document and those of its turns, and
// goes on as if nothing had happened.
class ObservedAgent {
 public:
  explicit ObservedAgent(ObservedState state, const std::vector<Turn>& turns = {},
                         ObservedLimits limits = {});

  const ObservedState& state() const { return state_; }

  // A hook of it, whichever session id it has: Correlation has decided.
  ObservedStep on_hook(const HookEvent& hook, Moment now);

  ObservedStep on_entries(const TranscriptNews& news, Moment now);

  // The transcript in `wanted_path` is followed from now on; that before it was read to its end.
  ObservedStep follow_wanted(Moment now);

  // Does what is due by now: provisional turns that the transcript never had are withdrawn, silence
  // is told for what it is, the end of the process ends the session.
  ObservedStep tick(Moment now, Liveness liveness);

 private:
};

}  // namespace oriel
