#include "mcp/change.h"

#include <algorithm>

namespace oriel::mcp {

bool Change::is_visible_to(const Principal& principal) const {
  if (!projects) return true;
  return std::any_of(projects->begin(), projects->end(), [&](const std::string& project_id) {
    return principal.sees(project_id, session_id);
  });
}

std::string_view notification_of(Change::What what) {
  switch (what) {
    case Change::What::kTools:
      return "notifications/tools/list_changed";
    case Change::What::kPrompts:
      return "notifications/prompts/list_changed";
    case Change::What::kResources:
      return "notifications/resources/list_changed";
    case Change::What::kResource:
      return "notifications/resources/updated";
    case Change::What::kTask:
      return "notifications/tasks";
  }
  return {};
}

boost::json::object params_of(const Change& change) {
  switch (change.what) {
    case Change::What::kResource:
      return {{"uri", change.uri}};
    case Change::What::kTask:
      return change.task;
    default:
      return {};
  }
}

}  // namespace oriel::mcp
