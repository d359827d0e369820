#include "mcp/change.h"

namespace oriel {

std::string_view notification_of(McpChange::What what) {
  switch (what) {
    case McpChange::What::kTools:
      return "notifications/tools/list_changed";
    case McpChange::What::kPrompts:
      return "notifications/prompts/list_changed";
    case McpChange::What::kResources:
      return "notifications/resources/list_changed";
    case McpChange::What::kResource:
      return "notifications/resources/updated";
    case McpChange::What::kTask:
      return "notifications/tasks";
  }
  return {};
}

boost::json::object params_of(const McpChange& change) {
  switch (change.what) {
    case McpChange::What::kResource:
      return {{"uri", change.uri}};
    case McpChange::What::kTask:
      return change.task;
    default:
      return {};
  }
}

}  // namespace oriel
