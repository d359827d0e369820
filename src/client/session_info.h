#pragma once
// A session, parsed from JSON.

#include "base/event/permission.h"
#include "base/event/session_status.h"
#include "base/event/usage.h"
#include "base/event/work_state.h"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace oriel {

struct SessionInfo {
  std::string id;
  std::string agent;
  std::string project;  // empty if none
  std::string title;
  std::string workspace;
  SessionStatus status = SessionStatus::kIdle;
  WorkState state = WorkState::kIdle;
  std::string state_since;  // empty: unknown
  std::string reason;       // of a failure
  std::string created_at;
  std::string updated_at;
  std::string task_id;
  std::int64_t turns = 0;
  std::int64_t queued = 0;
  std::int64_t last_index = -1;
  std::string last_text;
  std::string tool;  // running; empty if none
  std::vector<PermissionAsked> permissions;
  Usage usage;

  // A task is running or about to start.
  bool is_at_work() const;
};

SessionInfo read_session(const boost::json::object& session);

}  // namespace oriel
