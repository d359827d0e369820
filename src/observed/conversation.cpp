#include "observed/conversation.h"

#include <utility>

namespace oriel {
namespace {

constexpr const char* kNoResult = "no result: the task ended before the tool did";

}  // namespace

Turn Conversation::make_turn(TurnActor actor, TurnIntent intent, std::string text,
                             const ObservedTask& task) {
  Turn turn;
  turn.turn_id = new_turn_id();
  turn.session_id = state_.session_id;
  turn.project_id = state_.project_id;
  turn.task_id = task.task_id;
  turn.actor = actor;
  turn.intent = intent;
  turn.text = std::move(text);
  turn.timestamp = step_.at;
  turn.source = TurnSource::kHook;
  turn.ordinal = turns_.take_ordinal();
  return turn;
}

ObservedTask& Conversation::enter_task(const std::string& task_id) {
  const ObservedTask* const known = tasks().find(task_id);
  const std::string entered = known ? task_id : tasks().open_after_transcript(step_.at).task_id;
  ObservedTask* const before = tasks().in_transcript();
  if (before && before->task_id != entered) {
    const std::string left = before->task_id;
    classify_last_text(*before);
    withdraw_texts(left);
    end_tools(left);
    dismiss_questions(left);
    tasks().close(left);
  }
  ObservedTask& task = *tasks().find(entered);
  task.has_entries = true;
  return task;
}

ObservedTask& Conversation::transcript_task() {
  if (ObservedTask* const task = tasks().in_transcript()) return *task;
  return enter_task({});
}

void Conversation::finish_by_hook(ObservedTask& task) {
  if (!task.finish_by_hook(step_.now.wall)) return;
  dismiss_questions(task.task_id);
  classify_last_text(task);
  // A transcript reports how tools end; without one nothing will.
  if (!state_.transcript.last_entry_at) end_tools(task.task_id);
}

void Conversation::finish_by_transcript(ObservedTask& task) {
  task.finish_by_transcript(step_.at);
  withdraw_texts(task.task_id);
  classify_last_text(task);
  end_tools(task.task_id);
  dismiss_questions(task.task_id);
}

void Conversation::cut_tasks() {
  for (ObservedTask& task : tasks().all()) {
    dismiss_questions(task.task_id);
    task.cut(step_.at);
  }
}

void Conversation::discard_task(const std::string& task_id) {
  tasks().discard(task_id);
  const ObservedTask* const current = tasks().current();
  const std::string heir = current ? current->task_id : "";
  tools().move_all(task_id, heir);
  questions().move_all(task_id, heir);
}

void Conversation::limit_tasks() {
  while (const ObservedTask* const oldest = tasks().first_over_limit()) {
    const std::string task_id = oldest->task_id;
    end_tools(task_id);
    dismiss_questions(task_id);
    tasks().close(task_id);
  }
}

void Conversation::classify_last_text(ObservedTask& task) {
  if (task.last_text_turn_id.empty()) return;
  const bool is_final =
      task.done_at && !task.is_cut && !reconciler().has_waiting(BindKind::kText, task.task_id);
  turns_.set_intent(task.last_text_turn_id,
                    is_final ? TurnIntent::kCompletion : TurnIntent::kProgress, step_);
}

void Conversation::start_tool(const ToolCall& call, const ObservedTask& task) {
  tools().start(call, task.task_id, step_.at);
  step_.publish(tool_call_event(state_, call, task, step_.at));
}

void Conversation::end_tool(const std::string& tool_call_id, const ToolOutcome& outcome) {
  const std::optional<ObservedTool> tool = tools().end(tool_call_id, step_.now.wall);
  if (!tool) return;
  step_.publish(tool_result_event(state_, *tool, outcome, step_.at));
}

void Conversation::end_tools(const std::string& task_id) {
  for (const std::string& tool_call_id : tools().running_ids(task_id))
    end_tool(tool_call_id, {.is_ok = false, .output = kNoResult});
}

void Conversation::resolve_questions(const ToolCall& call, QuestionStatus status) {
  resolve(questions().take(call), status);
}

void Conversation::dismiss_questions(std::string_view task_id) {
  resolve(questions().take_all(task_id), QuestionStatus::kDismissed);
}

void Conversation::resolve(const std::vector<OpenQuestion>& resolved, QuestionStatus status) {
  for (const OpenQuestion& question : resolved) {
    // The hook that asked for the permission may arrive again.
    if (question.is_permission) tools().note_ended(question.fingerprint, step_.now.wall);
    turns_.set_question_status(question.turn_id, status, step_);
  }
}

void Conversation::withdraw_before(WallTime time) {
  withdraw(reconciler().take_orphans([&](const WaitingTurn& turn) { return turn.since < time; }));
  std::vector<std::string> passed;
  for (const ObservedTask& task : tasks().all()) {
    if (!task.has_entries && task.command_turn_id.empty() && task.opened_at < time)
      passed.push_back(task.task_id);
  }
  for (const std::string& task_id : passed)
    discard_task(task_id);
}

void Conversation::withdraw_texts(const std::string& task_id) {
  withdraw(reconciler().take_orphans([&](const WaitingTurn& turn) {
    return turn.kind == BindKind::kText && turn.task_id == task_id;
  }));
}

void Conversation::withdraw(const std::vector<WaitingTurn>& orphans) {
  for (const WaitingTurn& orphan : orphans) {
    if (!turns_.withdraw(orphan.turn_id, step_)) continue;
    questions().forget(orphan.turn_id);
    const ObservedTask* const task = tasks().find(orphan.task_id);
    if (orphan.kind == BindKind::kPrompt && task && !task->has_entries)
      discard_task(orphan.task_id);
  }
}

}  // namespace oriel
