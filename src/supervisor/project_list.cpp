#include "supervisor/project_list.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace oriel {

std::vector<ProjectInfo> list_projects(const std::vector<ProjectSpec>& configured,
                                       const std::vector<SessionSnapshot>& sessions) {
  std::map<std::string, ProjectInfo> projects;
  for (const ProjectSpec& spec : configured) {
    ProjectInfo& project = projects[spec.id];
    project.name = spec.id;
    project.workspace = spec.workspace;
    project.is_configured = true;
  }
  for (const SessionSnapshot& session : sessions) {
    if (session->project_id.empty()) continue;
    ProjectInfo& project = projects[session->project_id];
    if (project.name.empty()) project.name = session->project_name;
    if (project.workspace.empty() && session->is_observed) project.workspace = session->workspace;
    ++project.sessions;
    if (session->status == SessionStatus::kRunning) ++project.running;
    if (session->state == WorkState::kAwaitingInput) ++project.awaiting;
    project.updated_at = std::max(project.updated_at.value_or(WallTime{}), session->updated_at);
  }
  std::vector<ProjectInfo> list;
  for (auto& [id, project] : projects) {
    project.project_id = id;
    if (project.name.empty()) project.name = id;
    list.push_back(std::move(project));
  }
  std::stable_sort(list.begin(), list.end(), [](const ProjectInfo& a, const ProjectInfo& b) {
    return a.updated_at > b.updated_at;
  });
  return list;
}

boost::json::object to_json(const ProjectInfo& project) {
  boost::json::object object = {
      {"project_id", project.project_id}, {"name", project.name},
      {"workspace", project.workspace},   {"is_configured", project.is_configured},
      {"sessions", project.sessions},     {"running", project.running},
      {"awaiting", project.awaiting},     {"updated_at", nullptr}};
  if (project.updated_at) object["updated_at"] = format_time(*project.updated_at);
  return object;
}

boost::json::object to_json(const std::vector<ProjectInfo>& projects) {
  boost::json::array list;
  for (const ProjectInfo& project : projects)
    list.push_back(to_json(project));
  return {{"projects", std::move(list)}};
}

}  // namespace oriel
