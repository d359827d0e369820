#include "observed/observed_agent.h"

#include "observed/conversation.h"
#include "observed/entry_rules.h"
#include "observed/hook_rules.h"
#include "observed/observed_events.h"
#include "observed/session_lifecycle.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// An entry that is younger than a provisional turn by this much shows that the transcript has
// passed the turn.
constexpr std::chrono::seconds kPassed{5};

}  // namespace

ObservedAgent::ObservedAgent(ObservedState state, const std::vector<Turn>& turns,
                             ObservedLimits limits)
    : state_(std::move(state)),
      limits_(limits),
      turns_(state_.turns, state_.reconciler, turns),
      stored_(state_) {
  finish(StepDraft(Moment{}));  // lets go of turns that cannot change
}

void ObservedAgent::join_project(const Project& project) {
  if (!state_.project_id.empty()) return;
  state_.project_id = project.project_id;
  state_.project_name = project.name;
}

ObservedStep ObservedAgent::on_hook(const HookEvent& hook, Moment now) {
  StepDraft step(now);
  note_activity(now.wall);
  state_.is_imported = false;
  note_identity(hook);
  create_session(state_, step);
  if (hook.kind == HookKind::kSessionEnd) {
    end(hook.reason.empty() ? "ended by the agent" : hook.reason, step);
    return finish(std::move(step));
  }
  // A fork first reports that it resumes the session it was made of, which may stay ended.
  if (hook.kind != HookKind::kSessionStart) resume_session(state_, step);
  if (!hook.subagent_id.empty()) return finish(std::move(step));
  Conversation conversation(state_, turns_, step);
  apply_hook(hook, conversation);
  conversation.limit_tasks();
  update_status(state_, trigger_of(hook.kind), step);
  return finish(std::move(step));
}

void ObservedAgent::note_activity(WallTime now) {
  state_.active_at = now;
  state_.silence = Silence::kNone;
}

void ObservedAgent::note_identity(const HookEvent& hook) {
  if (state_.agent.empty()) state_.agent = "claude";
  if (state_.cwd.empty()) state_.cwd = hook.cwd;
  // The process that resumes a session may be a fork: another agent's.
  const bool is_resumption =
      hook.kind == HookKind::kSessionStart && hook.source == StartSource::kResume;
  if (hook.pid && !is_resumption) state_.pid = hook.pid;
  if (std::find(state_.native_ids.begin(), state_.native_ids.end(), hook.session_id) ==
      state_.native_ids.end())
    state_.native_ids.push_back(hook.session_id);
  const bool is_newest = state_.native_ids.back() == hook.session_id;
  TranscriptProgress& transcript = state_.transcript;
  if (!hook.transcript_path.empty() && is_newest &&
      hook.transcript_path != transcript.position.path)
    transcript.wanted_path = hook.transcript_path;
}

ObservedStep ObservedAgent::on_entries(const EntryBatch& batch, Moment now) {
  StepDraft step(now);
  step.is_import = batch.is_import;
  if (!batch.entries.empty()) note_activity(now.wall);
  if (batch.is_import) state_.ended_at.reset();
  state_.transcript.advance(batch);
  for (std::size_t i = 0; i < batch.entries.size(); ++i)
    take_entry(batch.entries[i], is_last_text(batch.entries, i), step);
  Conversation conversation(state_, turns_, step);
  for (ObservedTask& task : state_.tasks.all())
    conversation.classify_last_text(task);
  if (state_.transcript.last_entry_at)
    conversation.withdraw_before(*state_.transcript.last_entry_at - kPassed);
  conversation.limit_tasks();
  update_status(state_, StateTrigger::kReconciliation, step);
  if (batch.is_import) close_imported_session(state_, now.wall);
  return finish(std::move(step));
}

void ObservedAgent::take_entry(const TranscriptEntry& entry, bool is_last_text, StepDraft& step) {
  TranscriptProgress& transcript = state_.transcript;
  const WallTime now = step.now.wall;
  step.entry_time = plausible_time(entry.time, now);
  step.at = step.entry_time.value_or(transcript.last_entry_at.value_or(now));
  if (state_.agent.empty()) state_.agent = "claude";
  if (state_.cwd.empty()) state_.cwd = entry.cwd;
  if (entry.is_sidechain) return;
  create_session(state_, step);
  if (step.is_import && step.entry_time)
    state_.created_at = std::min(state_.created_at, *step.entry_time);
  const bool is_repeat = transcript.is_repeat(entry, step.at);
  transcript.note(entry, step.entry_time);
  if (state_.ended_at && step.entry_time && *step.entry_time > *state_.ended_at)
    resume_session(state_, step);
  if (entry.kind == EntryKind::kMeta) return turns_.set_title(entry.text);
  Conversation conversation(state_, turns_, step);
  apply_entry(entry, {.is_repeat = is_repeat, .is_last_text = is_last_text}, conversation);
  update_status(state_, trigger_of(entry.kind), step);
}

ObservedStep ObservedAgent::end_import(Moment now) {
  StepDraft step(now);
  step.is_import = true;
  step.at = state_.transcript.last_entry_at.value_or(now.wall);
  Conversation conversation(state_, turns_, step);
  for (const ObservedTask& task : state_.tasks.all())
    conversation.end_tools(task.task_id);
  conversation.cut_tasks();
  close_imported_session(state_, now.wall);
  step.is_import = false;
  step.publish(session_imported_event(state_, now.wall));
  ObservedStep result = finish(std::move(step));
  state_.updated_at = state_.active_at;
  stored_ = state_;
  return result;
}

ObservedStep ObservedAgent::follow_wanted(Moment now) {
  state_.transcript.follow_wanted();
  return finish(StepDraft(now));
}

ObservedStep ObservedAgent::tick(Moment now, Liveness liveness) {
  StepDraft step(now);
  // A followed transcript has an old turn by now, or never will.
  if (state_.transcript.last_entry_at) {
    Conversation(state_, turns_, step).withdraw_before(now.wall - limits_.orphan_after);
    update_status(state_, StateTrigger::kReconciliation, step);
  }
  const Silence silence = silence_at(now.wall, liveness);
  if (silence == Silence::kGone) end("its process has ended", step);
  if (silence != state_.silence) {
    state_.silence = silence;
    if (is_notable(silence)) step.publish(silence_event(state_, now.wall));
  }
  return finish(std::move(step));
}

Silence ObservedAgent::silence_at(WallTime now, Liveness liveness) const {
  if (liveness == Liveness::kGone && state_.is_created) return Silence::kGone;
  const bool has_tool = !state_.tools.running().empty();
  const auto limit = has_tool ? limits_.tool_long_after : limits_.silent_after;
  return silence_of(work_state_of(state_), has_tool, now - state_.active_at >= limit);
}

void ObservedAgent::end(std::string reason, StepDraft& step) {
  if (state_.ended_at) return;
  Conversation(state_, turns_, step).cut_tasks();
  end_session(state_, std::move(reason), step);
}

ObservedStep ObservedAgent::finish(StepDraft draft) {
  state_.reconciler = turns_.reconciler().state();
  ObservedStep step;
  step.events = std::move(draft.events);
  turns_.finish(step, [this](const std::string& turn_id) { return may_change(turn_id); });
  if (!step.events.empty()) {
    state_.updated_at = draft.now.wall;
    state_.last_index += static_cast<std::int64_t>(step.events.size());
  }
  stored_.active_at = state_.active_at;  // alone it is not worth a write
  step.is_changed = !(stored_ == state_);
  if (step.is_changed) stored_ = state_;
  return step;
}

// A turn may be bound or withdrawn, answered, or become progress or completion.
bool ObservedAgent::may_change(const std::string& turn_id) const {
  const auto is_it = [&](const auto& other) { return other.turn_id == turn_id; };
  const auto is_last = [&](const ObservedTask& task) { return task.last_text_turn_id == turn_id; };
  const auto& waiting = state_.reconciler.waiting;
  const auto& questions = state_.questions.all();
  const auto& tasks = state_.tasks.all();
  return std::any_of(waiting.begin(), waiting.end(), is_it) ||
         std::any_of(questions.begin(), questions.end(), is_it) ||
         std::any_of(tasks.begin(), tasks.end(), is_last);
}

}  // namespace oriel
