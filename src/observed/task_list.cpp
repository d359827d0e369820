#include "observed/task_list.h"

#include "base/event/turn.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

template <class Predicate>
ObservedTask* find_first(std::vector<ObservedTask>& tasks, Predicate fits) {
  const auto found = std::find_if(tasks.begin(), tasks.end(), fits);
  return found == tasks.end() ? nullptr : &*found;
}

ObservedTask new_task(std::string prompt_id, WallTime at) {
  ObservedTask task;
  task.task_id = new_task_id();
  task.prompt_id = std::move(prompt_id);
  task.opened_at = at;
  return task;
}

}  // namespace

void ObservedTask::resume(WallTime at) {
  has_work = true;
  if (asked_at && *asked_at < at) asked_at.reset();
  if (!done_at) return;
  if (!is_done_by_transcript && at <= *done_at) return;
  done_at.reset();
  is_done_by_transcript = false;
  is_cut = false;
}

bool ObservedTask::finish_by_hook(WallTime at) {
  if (done_at && is_done_by_transcript) return false;
  has_work = true;
  done_at = at;
  is_cut = false;
  asked_at.reset();
  return true;
}

void ObservedTask::finish_by_transcript(WallTime at) {
  has_work = true;
  done_at = at;
  is_done_by_transcript = true;
  is_cut = false;
  asked_at.reset();
}

void ObservedTask::cut(WallTime at) {
  if (done_at) return;
  done_at = at;
  is_cut = true;
}

TaskList::TaskList(std::vector<ObservedTask> tasks, std::vector<std::string> closed_prompts)
    : tasks_(std::move(tasks)), closed_prompts_(std::move(closed_prompts)) {}

ObservedTask* TaskList::in_transcript() {
  return find_first(tasks_, [](const ObservedTask& task) { return task.has_entries; });
}

ObservedTask* TaskList::find(std::string_view task_id) {
  return find_first(tasks_, [&](const ObservedTask& task) { return task.task_id == task_id; });
}

ObservedTask* TaskList::find_by_prompt(std::string_view prompt_id) {
  return find_first(tasks_, [&](const ObservedTask& task) { return task.prompt_id == prompt_id; });
}

ObservedTask* TaskList::find_without_command(std::string_view prompt_id) {
  return find_first(tasks_, [&](const ObservedTask& task) {
    const bool is_other =
        !task.prompt_id.empty() && !prompt_id.empty() && task.prompt_id != prompt_id;
    return task.command_turn_id.empty() && !task.has_entries && !is_other;
  });
}

bool TaskList::is_closed(std::string_view prompt_id) const {
  return std::find(closed_prompts_.begin(), closed_prompts_.end(), prompt_id) !=
         closed_prompts_.end();
}

ObservedTask& TaskList::open(std::string prompt_id, WallTime at) {
  return tasks_.emplace_back(new_task(std::move(prompt_id), at));
}

ObservedTask& TaskList::open_after_transcript(WallTime at) {
  const ObservedTask* const before = in_transcript();
  const auto offset = before ? before - tasks_.data() + 1 : 0;
  return *tasks_.insert(tasks_.begin() + offset, new_task({}, at));
}

void TaskList::close(std::string_view task_id) {
  const ObservedTask* const task = find(task_id);
  if (!task) return;
  if (!task->prompt_id.empty()) {
    closed_prompts_.push_back(task->prompt_id);
    if (closed_prompts_.size() > kMaxClosedPrompts) closed_prompts_.erase(closed_prompts_.begin());
  }
  discard(task_id);
}

void TaskList::discard(std::string_view task_id) {
  const ObservedTask* const task = find(task_id);
  if (task) tasks_.erase(tasks_.begin() + (task - tasks_.data()));
}

const ObservedTask* TaskList::first_over_limit() const {
  if (tasks_.size() <= kMaxTasks) return nullptr;
  return &*std::find_if(tasks_.begin(), tasks_.end(),
                        [](const ObservedTask& task) { return !task.has_entries; });
}

}  // namespace oriel
