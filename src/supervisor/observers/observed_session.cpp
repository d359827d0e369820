#include "supervisor/observers/observed_session.h"

namespace oriel {

SessionState session_of(const ObservedState& observed) {
  SessionState state;
  state.session_id = observed.session_id;
  state.agent = observed.agent;
  state.project_id = observed.project_id;
  state.project_name = observed.project_name;
  state.title = observed.turns.title;
  state.workspace = observed.cwd;
  state.created_at = observed.created_at;
  state.updated_at = observed.updated_at;
  state.last_index = observed.last_index;
  state.status = observed.status;
  state.state = observed.state;
  state.reason = observed.end_reason;
  state.task_id = observed.turns.newest_task_id;
  state.turns = observed.turns.count;
  state.last_text = observed.turns.last_text;
  if (!observed.native_ids.empty()) state.agent_session_id = observed.native_ids.back();
  for (const ObservedTool& tool : observed.tools.running())
    state.tools.push_back(
        {.tool_call_id = tool.tool_call_id, .tool_name = tool.tool_name, .since = tool.since});
  state.is_live = !observed.ended_at;
  state.is_observed = true;
  state.is_imported = observed.is_imported;
  state.silence = observed.silence;
  return state;
}

}  // namespace oriel
