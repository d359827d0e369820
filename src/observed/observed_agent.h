#pragma once
// What an agent that somebody runs elsewhere does: its hooks and its transcript in, its events and
// turns out. Hooks are quick and may be lost, doubled and shuffled; the transcript is late and
// true. Pure: no I/O, no clock; its runner passes the time in.

#include "base/moment.h"
#include "base/session_event.h"
#include "base/turn.h"
#include "base/turn_event.h"
#include "observed/hook.h"
#include "observed/observed_state.h"
#include "observed/project.h"
#include "observed/reconciler.h"
#include "transcript/transcript_entry.h"
#include "transcript/transcript_position.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
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
struct EntryBatch {
  std::vector<TranscriptEntry> entries;
  TranscriptPosition position;  // behind them
  bool is_from_start = false;   // TranscriptBatch says so
  bool is_import = false;       // of the past: turns are made, and nothing is told of them
};

// Lives with its runner. After a restart it is made of its document and those of its turns, and
// goes on as if nothing had happened.
class ObservedAgent {
 public:
  explicit ObservedAgent(ObservedState state, const std::vector<Turn>& turns = {},
                         ObservedLimits limits = {});

  const ObservedState& state() const { return state_; }

  // Where it works, once that is known; the first counts.
  void join_project(const Project& project);

  // A hook of it, whichever session id it has: Correlation has decided.
  ObservedStep on_hook(const HookEvent& hook, Moment now);

  ObservedStep on_entries(const EntryBatch& news, Moment now);

  // All that an import had was taken, and something of it was new: the session has ended with it.
  // One event tells of it, whatever it had.
  ObservedStep end_import(Moment now);

  // The transcript in `wanted_path` is followed from now on; that before it was read to its end.
  ObservedStep follow_wanted(Moment now);

  // Does what is due by now: provisional turns that the transcript never had are withdrawn, silence
  // is told for what it is, the end of the process ends the session.
  ObservedStep tick(Moment now, Liveness liveness);

 private:
  // One call at work: its time, and what has come of it so far.
  struct Work {
    Moment now;
    WallTime at;                         // the time of what is told
    std::optional<WallTime> entry_time;  // of the entry at hand, if it can be believed
    bool is_import = false;              // of the past
    bool is_last = false;                // the entry at hand: its turn ends with it
    ObservedStep step;
    std::vector<std::string> touched;  // turns that are new or changed
  };

  // Of what a tool is asked to do, in a hook and in an entry alike.
  struct ToolCall {
    std::string id;  // empty: not known
    std::string name;
    const boost::json::value& input;
    std::uint64_t print = 0;
  };

  Work begin(Moment now);
  ObservedStep finish(Work work);
  bool may_change(const std::string& turn_id) const;
  void note_who(const HookEvent& hook);
  void create(Work& work);
  void revive(Work& work);
  void end_session(const std::string& reason, Work& work);
  void cut_tasks(Work& work);
  void rest_imported(Work& work);

  // Hooks.
  void on_prompt(const HookEvent& hook, Work& work);
  void on_stop(const HookEvent& hook, Work& work);
  void on_notification(const HookEvent& hook, Work& work);
  void on_pre_tool(const HookEvent& hook, Work& work);
  void on_post_tool(const HookEvent& hook, Work& work);
  void on_permission(const HookEvent& hook, Work& work);
  bool is_late(const ObservedTask& task, const Work& work) const;
  ObservedTask* task_of(const HookEvent& hook, Work& work);

  // Entries.
  void take(const TranscriptEntry& entry, Work& work);
  void take_prompt(const TranscriptEntry& entry, Work& work);
  void take_text(const TranscriptEntry& entry, Work& work);
  void take_tool_use(const TranscriptEntry& entry, Work& work);
  void take_tool_result(const TranscriptEntry& entry, Work& work);
  void take_end(const TranscriptEntry& entry, Work& work);
  void expect_copies();
  void note_time(const TranscriptEntry& entry, const Work& work);
  bool is_copy(const TranscriptEntry& entry, const Work& work) const;
  void leave_heard_task(const std::string& heard_as, const std::string& task_id);

  // Tasks.
  ObservedTask* live_task() { return state_.tasks.empty() ? nullptr : &state_.tasks.back(); }

  ObservedTask* transcript_task();
  ObservedTask* find_task(std::string_view task_id);
  ObservedTask& open_task(const std::string& prompt_id, Work& work);
  ObservedTask& enter_task(std::string_view task_id, Work& work);
  ObservedTask& transcript_task_for(Work& work);
  void continue_task(ObservedTask& task, Work& work);
  void finish_by_hook(ObservedTask& task, Work& work);
  void finish_by_transcript(ObservedTask& task, Work& work);
  void settle_words(ObservedTask& task, Work& work);
  void drop_task(std::string_view task_id);
  void unmake_task(const std::string& task_id);
  void bound_tasks(Work& work);

  // Turns.
  Turn new_turn(TurnActor actor, TurnIntent intent, std::string text, const ObservedTask& task,
                Work& work);
  Turn& add_turn(Turn turn, Work& work);
  Turn& add_provisional(Turn turn, WaitingTurn waiting, Work& work);
  Turn& add_found(Turn turn, const TranscriptEntry& entry, Work& work);
  Turn& bind_turn(const WaitingTurn& waiting, const TranscriptEntry& entry,
                  const ObservedTask& task, Work& work);
  void update(Turn& turn, const TurnChange& change, Work& work);
  void set_intent(const std::string& turn_id, TurnIntent intent, Work& work);
  static void touch(const std::string& turn_id, Work& work);
  void withdraw(const std::vector<WaitingTurn>& orphans, Work& work);
  void withdraw_passed(WallTime time, Work& work);
  void note_text(const Turn& turn);

  // Tools and questions.
  static ToolCall call_of(const HookEvent& hook);
  static ToolCall call_of(const TranscriptEntry& entry);
  bool knows_tool(const std::string& tool_call_id) const;
  bool is_question_call(const std::string& tool_call_id) const;
  bool has_ended_lately(const ToolCall& call, WallTime now) const;
  void open_tool(const ToolCall& call, const ObservedTask& task, Work& work);
  void close_tool(const std::string& tool_call_id, bool is_ok, const std::string& output,
                  Work& work);
  void note_ended(EndedTool tool);
  void close_tools(std::string_view task_id, Work& work);
  OpenQuestion* find_question(const ToolCall& call);
  void add_question(const Turn& turn, const ToolCall& call, bool is_permission);
  void ask(const ToolCall& call, const ObservedTask& task, Work& work);
  void resolve_questions(const ToolCall& call, std::string_view status, Work& work);
  void dismiss_questions(std::string_view task_id, Work& work);
  void resolve(const OpenQuestion& question, std::string_view status, Work& work);
  bool is_question_open(std::string_view task_id) const;

  // What is told.
  SessionEvent& emit(std::string type, std::string feed_type, Work& work);
  void settle_state(std::string_view trigger, Work& work);
  WorkState present_state();
  Silence present_silence(const Moment& now, Liveness liveness);
  void tell_silence(Work& work);

  static constexpr std::size_t kMaxTasks = 8;

  ObservedState state_;
  ObservedLimits limits_;
  Reconciler reconciler_;
  std::map<std::string, Turn> turns_;  // those that may still change
  ObservedState stored_;               // as it was when a step last said that it is to be stored
};

}  // namespace oriel
