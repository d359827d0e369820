#pragma once
// The projects of oriel.toml and of sessions. Pure.

#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/workspace.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct ProjectInfo {
  std::string project_id;
  std::string name;                    // as it is shown
  std::string workspace;               // a directory; empty: each session has its own
  bool is_configured = false;          // in oriel.toml
  std::size_t sessions = 0;            // that are listed
  std::size_t running = 0;             // of these
  std::size_t awaiting = 0;            // of these: waiting for a person
  std::optional<WallTime> updated_at;  // of the newest event; none: it has no session
};

// Ordered by the newest event, projects without sessions last.
std::vector<ProjectInfo> list_projects(const std::vector<ProjectSpec>& configured,
                                       const std::vector<SessionSnapshot>& sessions);

boost::json::object to_json(const ProjectInfo& project);

// As every endpoint returns them: {"projects"}.
boost::json::object to_json(const std::vector<ProjectInfo>& projects);

}  // namespace oriel
