#include "mcp/change.h"

namespace oriel::mcp {

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
