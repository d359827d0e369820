#pragma once
// The tasks of an observed agent. Hooks are ahead of the transcript, so the agent may work on a
// later task than the one that the transcript has reached. Pure.

#include "base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A command, and the agent's work for it.
struct ObservedTask {
  std::string task_id;
  std::string prompt_id;          // the agent's own id of the command; empty: unknown
  std::string command_turn_id;    // empty: a hook reported work whose command is still unknown
  std::string last_text_turn_id;  // the agent's last text, unless it has used a tool since
  WallTime opened_at;
  bool has_entries = false;          // the transcript has reached it, and no later task
  bool has_work = false;             // the agent has started to work
  std::optional<WallTime> asked_at;  // when a notification reported that the agent waits
  std::optional<WallTime> done_at;   // when a hook or the transcript reported the end
  bool is_done_by_transcript = false;
  bool is_cut = false;  // it did not finish: the session ended

  // The transcript shows work at this time. Reopens the task, unless the work is older than an end
  // reported by a hook.
  void resume(WallTime at);

  // False if the transcript has already reported the end.
  bool finish_by_hook(WallTime at);

  void finish_by_transcript(WallTime at);

  // The session has ended before the task.
  void cut(WallTime at);

  bool operator==(const ObservedTask&) const = default;
};

// Open tasks in their order, and the prompt ids of closed ones. Pointers and references are valid
// until the next task is opened, closed or discarded.
class TaskList {
 public:
  static constexpr std::size_t kMaxTasks = 8;
  static constexpr std::size_t kMaxClosedPrompts = 16;

  TaskList() = default;
  TaskList(std::vector<ObservedTask> tasks, std::vector<std::string> closed_prompts);

  std::size_t size() const { return tasks_.size(); }

  const std::vector<ObservedTask>& all() const { return tasks_; }

  std::vector<ObservedTask>& all() { return tasks_; }

  const std::vector<std::string>& closed_prompts() const { return closed_prompts_; }

  // The task that the agent works on, or worked on last; null: it has had none.
  const ObservedTask* current() const { return tasks_.empty() ? nullptr : &tasks_.back(); }

  ObservedTask* current() { return tasks_.empty() ? nullptr : &tasks_.back(); }

  // The task that the transcript has reached.
  ObservedTask* in_transcript();

  ObservedTask* find(std::string_view task_id);
  ObservedTask* find_by_prompt(std::string_view prompt_id);

  // A task without a command that may be for the prompt of this id. An empty id fits every task.
  ObservedTask* find_without_command(std::string_view prompt_id);

  // Whether the prompt's task is among the last kMaxClosedPrompts that were closed.
  bool is_closed(std::string_view prompt_id) const;

  // The agent works on it from now on.
  ObservedTask& open(std::string prompt_id, WallTime at);

  // A task that follows the one in the transcript. Hooks may have opened later ones already.
  ObservedTask& open_after_transcript(WallTime at);

  // The task is over: later hooks of its prompt belong to no task.
  void close(std::string_view task_id);

  // Removes a task that never existed.
  void discard(std::string_view task_id);

  // The oldest task that is not the transcript's current one, if there are more than kMaxTasks.
  const ObservedTask* first_over_limit() const;

  bool operator==(const TaskList&) const = default;

 private:
  std::vector<ObservedTask> tasks_;  // at most one has entries
  std::vector<std::string> closed_prompts_;
};

}  // namespace oriel
