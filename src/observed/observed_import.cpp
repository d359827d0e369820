// What becomes of an observed agent whose transcript is of the past.

#include "observed/observed_agent.h"

#include <utility>

namespace oriel {

ObservedStep ObservedAgent::end_import(Moment now) {
  Work work = begin(now);
  work.is_import = true;
  work.at = state_.last_entry_at.value_or(now.wall);
  for (const ObservedTask& task : state_.tasks)
    close_tools(task.task_id, work);
  cut_tasks(work);
  rest_imported(work);
  work.at = now.wall;
  SessionEvent& event = emit("system", "session_imported", work);
  event.text = "session imported";
  event.data = boost::json::object{{"agent_id", state_.session_id},
                                   {"agent", state_.agent},
                                   {"project_id", state_.project_id},
                                   {"workspace", state_.cwd},
                                   {"title", state_.title},
                                   {"turns", state_.turns},
                                   {"created_at", format_time(state_.created_at)},
                                   {"ended_at", format_time(*state_.ended_at)}};
  ObservedStep step = finish(std::move(work));
  state_.updated_at = state_.heard_at;
  stored_ = state_;
  return step;
}

// Of the past: it is over, for all that is known. Its tasks stay as they are: more may come of
// them.
void ObservedAgent::rest_imported(Work& work) {
  const WallTime last = state_.last_entry_at.value_or(work.now.wall);
  state_.ended_at = last;
  state_.end_reason = "imported";
  state_.heard_at = last;
  state_.updated_at = last;
  state_.state = WorkState::kComplete;
  state_.status = "completed";
  state_.silence = Silence::kAtRest;
  work.step.events.clear();
}

}  // namespace oriel
