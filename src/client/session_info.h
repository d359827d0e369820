#pragma once
// A session and its events, parsed from JSON.

#include "base/agent_event.h"
#include "base/session_event.h"

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
  std::string status;  // idle, running, failed, completed
  std::string state;   // idle, commanded, processing, awaiting_input, complete
  std::string reason;  // of a failure
  std::string created_at;
  std::string updated_at;
  std::string task_id;
  std::int64_t turns = 0;
  std::int64_t queued = 0;
  std::int64_t last_index = -1;
  std::string last_text;
  std::string tool;  // running; empty if none
  std::vector<PermissionAsked> permissions;
  boost::json::object usage;

  // A task is running or about to start.
  bool is_at_work() const;
};

SessionInfo read_session(const boost::json::object& session);

PermissionAsked read_permission(const boost::json::object& permission);

// Without the timestamp, which no command needs.
SessionEvent read_event(const boost::json::object& event);

}  // namespace oriel
