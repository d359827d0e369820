// How an observed agent's tasks begin, go on and end, as hooks and the transcript tell it.

#include "observed/observed_agent.h"

#include <algorithm>

namespace oriel {

ObservedTask* ObservedAgent::transcript_task() {
  const auto found = std::find_if(state_.tasks.begin(), state_.tasks.end(),
                                  [](const ObservedTask& task) { return task.has_entries; });
  return found == state_.tasks.end() ? nullptr : &*found;
}

ObservedTask* ObservedAgent::find_task(std::string_view task_id) {
  const auto found =
      std::find_if(state_.tasks.begin(), state_.tasks.end(),
                   [&](const ObservedTask& task) { return task.task_id == task_id; });
  return found == state_.tasks.end() ? nullptr : &*found;
}

// The agent is at it from now on.
ObservedTask& ObservedAgent::open_task(const std::string& prompt_id, Work& work) {
  ObservedTask task;
  task.task_id = new_task_id();
  task.prompt_id = prompt_id;
  task.opened_at = work.at;
  state_.tasks.push_back(std::move(task));
  return state_.tasks.back();
}

// The transcript has come to this task, or (without an id) to one that no hook has told of. It has
// left the one before for good. Hooks may have opened later ones already.
ObservedTask& ObservedAgent::enter_task(std::string_view task_id, Work& work) {
  std::string entered(task_id);
  if (!find_task(entered)) {
    const ObservedTask* before = transcript_task();
    const auto position = before ? before - state_.tasks.data() + 1 : 0;
    ObservedTask task;
    task.task_id = new_task_id();
    task.opened_at = work.at;
    entered = task.task_id;
    state_.tasks.insert(state_.tasks.begin() + position, std::move(task));
  }
  if (ObservedTask* before = transcript_task(); before && before->task_id != entered) {
    const std::string left = before->task_id;
    settle_words(*before, work);
    withdraw(reconciler_.take_orphans([&](const WaitingTurn& turn) {
      return turn.kind == BindKind::kText && turn.task_id == left;
    }),
             work);
    close_tools(left, work);
    dismiss_questions(left, work);
    drop_task(left);
  }
  ObservedTask& task = *find_task(entered);
  task.has_entries = true;
  return task;
}

ObservedTask& ObservedAgent::transcript_task_for(Work& work) {
  if (ObservedTask* task = transcript_task()) return *task;
  return enter_task({}, work);
}

// The transcript shows more of it. What it tells after the end that a hook told of may only be
// late.
void ObservedAgent::continue_task(ObservedTask& task, Work& work) {
  task.has_work = true;
  if (task.asked_at && *task.asked_at < work.at) task.asked_at.reset();
  if (!task.done_at) return;
  if (!task.is_done_by_transcript && work.at <= *task.done_at) return;
  task.done_at.reset();
  task.is_done_by_transcript = false;
  task.is_cut = false;
}

// The agent's last words are its completion, once it is said that it has finished; before that, and
// while a hook knows later ones, they are not.
void ObservedAgent::settle_words(ObservedTask& task, Work& work) {
  if (task.last_text_turn_id.empty()) return;
  const bool is_final =
      task.done_at && !task.is_cut && !reconciler_.has_waiting(BindKind::kText, task.task_id);
  set_intent(task.last_text_turn_id, is_final ? TurnIntent::kCompletion : TurnIntent::kProgress,
             work);
}

void ObservedAgent::finish_by_hook(ObservedTask& task, Work& work) {
  if (task.done_at && task.is_done_by_transcript) return;
  task.has_work = true;
  task.done_at = work.now.wall;
  task.is_cut = false;
  task.asked_at.reset();
  dismiss_questions(task.task_id, work);
  settle_words(task, work);
  if (!state_.last_entry_at) close_tools(task.task_id, work);  // nobody else will
}

void ObservedAgent::finish_by_transcript(ObservedTask& task, Work& work) {
  task.has_work = true;
  task.done_at = work.at;
  task.is_done_by_transcript = true;
  task.is_cut = false;
  task.asked_at.reset();
  withdraw(reconciler_.take_orphans([&](const WaitingTurn& turn) {
    return turn.kind == BindKind::kText && turn.task_id == task.task_id;
  }),
           work);
  settle_words(task, work);
  close_tools(task.task_id, work);
  dismiss_questions(task.task_id, work);
}

void ObservedAgent::drop_task(std::string_view task_id) {
  const ObservedTask* task = find_task(task_id);
  if (!task) return;
  if (!task->prompt_id.empty()) {
    state_.closed_prompts.push_back(task->prompt_id);
    if (state_.closed_prompts.size() > ObservedState::kMaxClosedPrompts)
      state_.closed_prompts.erase(state_.closed_prompts.begin());
  }
  state_.tasks.erase(state_.tasks.begin() + (task - state_.tasks.data()));
}

// There was no such task: what it did belongs to the one that the agent is really at.
void ObservedAgent::unmake_task(const std::string& task_id) {
  std::erase_if(state_.tasks, [&](const ObservedTask& task) { return task.task_id == task_id; });
  const ObservedTask* live = live_task();
  const std::string heir = live ? live->task_id : "";
  for (ObservedTool& tool : state_.tools) {
    if (tool.task_id == task_id) tool.task_id = heir;
  }
  for (OpenQuestion& question : state_.questions) {
    if (question.task_id == task_id) question.task_id = heir;
  }
}

// Without a transcript nothing is ever left behind but by this.
void ObservedAgent::bound_tasks(Work& work) {
  while (state_.tasks.size() > kMaxTasks) {
    const auto oldest = std::find_if(state_.tasks.begin(), state_.tasks.end(),
                                     [](const ObservedTask& task) { return !task.has_entries; });
    const std::string task_id = oldest->task_id;
    close_tools(task_id, work);
    dismiss_questions(task_id, work);
    drop_task(task_id);
  }
}

}  // namespace oriel
