#include "api/mcp/change_coalescer.h"

#include "api/mcp/session_resources.h"

#include <utility>

namespace oriel {
namespace {

bool is_of_turns(const std::string& type) {
  return type == event::TurnCreated::kFeedType || type == event::TurnUpdated::kFeedType;
}

bool is_of_list(const std::string& type) {
  return type == event::SessionCreated::kFeedType || type == event::SessionEnded::kFeedType;
}

}  // namespace

// Events that services publish are no resources. Observed sessions have no ses_ prefix, so their
// events are recognized by type.
std::vector<mcp::Change> ChangeCoalescer::on_record(const Record& record) {
  const bool is_state = record.type == event::StateTransition::kFeedType || is_of_list(record.type);
  const bool is_turn = is_of_turns(record.type);
  const bool is_hosted = record.session_id.starts_with("ses_");
  if (record.session_id.empty() || (!is_hosted && !is_state && !is_turn)) return {};
  const std::string& project_id = record.project_id;
  changed_[record.session_id].insert(project_id);
  if (is_turn) turns_changed_[record.session_id].insert(project_id);
  if (is_of_list(record.type)) list_changed_.insert(project_id);
  if (is_state) projects_changed_.insert(project_id);
  if (needs_tick_) return {};
  needs_tick_ = true;
  return take();
}

std::vector<mcp::Change> ChangeCoalescer::on_tick() {
  needs_tick_ = !changed_.empty();
  return take();
}

std::vector<mcp::Change> ChangeCoalescer::take() {
  using What = mcp::Change::What;
  std::vector<mcp::Change> changes;
  const auto add = [&](What what, std::string uri, const ProjectIds& projects,
                       const std::string& session_id = {}) {
    if (projects.empty()) return;
    changes.push_back({.what = what,
                       .uri = std::move(uri),
                       .task = {},
                       .projects = projects,
                       .session_id = session_id});
  };
  add(What::kResources, "", std::exchange(list_changed_, {}));
  add(What::kResource, std::string(kProjectsUri), std::exchange(projects_changed_, {}));
  const auto changed = std::exchange(changed_, {});
  for (const auto& [id, projects] : changed) {
    add(What::kResource, session_uri(id), projects, id);
    add(What::kResource, session_events_uri(id), projects, id);
  }
  const auto turns_changed = std::exchange(turns_changed_, {});
  for (const auto& [id, projects] : turns_changed) {
    add(What::kResource, session_turns_uri(id), projects, id);
    add(What::kResource, session_tasks_uri(id), projects, id);
  }
  return changes;
}

}  // namespace oriel
