#include "client/session_info.h"

#include "base/text/json_access.h"

namespace oriel {

namespace json = boost::json;

bool SessionInfo::is_at_work() const {
  return state == WorkState::kCommanded || state == WorkState::kProcessing ||
         state == WorkState::kAwaitingInput || queued > 0;
}

SessionInfo read_session(const json::object& session) {
  SessionInfo info;
  info.id = text_at(session, "session_id");
  info.agent = text_at(session, "agent");
  info.project = text_at(session, "project_id");
  info.title = text_at(session, "title");
  info.workspace = text_at(session, "workspace");
  info.status = parse_session_status(text_at(session, "status")).value_or(info.status);
  info.state = parse_work_state(text_at(session, "state")).value_or(info.state);
  info.reason = text_at(session, "reason");
  info.created_at = text_at(session, "created_at");
  info.state_since = text_at(session, "state_since");
  info.updated_at = text_at(session, "updated_at");
  info.task_id = text_at(session, "task_id");
  info.turns = number_of(member(session, "turns")).value_or(0);
  info.queued = number_of(member(session, "queued")).value_or(0);
  info.last_index = number_of(member(session, "last_index")).value_or(-1);
  info.last_text = text_at(session, "last_text");
  info.tool = text_at(session, "tool", "tool_name");
  for (const json::object& permission : objects_of(member(session, "permissions")))
    info.permissions.push_back(parse_permission(permission).asked);
  info.usage = parse_usage(member(session, "usage"));
  return info;
}

}  // namespace oriel
