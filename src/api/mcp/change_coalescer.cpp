#include "api/mcp/change_coalescer.h"

#include "api/mcp/session_resources.h"

#include <utility>

namespace oriel {
namespace {

bool is_of_turns(const std::string& type) {
  return type == "turn_created" || type == "turn_updated";
}

bool is_of_list(const std::string& type) {
  return type == "session_created" || type == "session_ended";
}

}  // namespace

// Events that services publish are no resources. Observed sessions have no ses_ prefix, so their
// events are recognized by type.
std::vector<mcp::Change> ChangeCoalescer::on_record(const Record& record) {
  const bool is_state = record.type == "state_transition" || is_of_list(record.type);
  const bool is_turn = is_of_turns(record.type);
  const bool is_hosted = record.session_id.starts_with("ses_");
  if (record.session_id.empty() || (!is_hosted && !is_state && !is_turn)) return {};
  changed_.insert(record.session_id);
  if (is_turn) turns_changed_.insert(record.session_id);
  has_list_changed_ |= is_of_list(record.type);
  have_projects_changed_ |= is_state;
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
  const auto add = [&](std::string uri) {
    changes.push_back({.what = What::kResource, .uri = std::move(uri), .task = {}});
  };
  if (std::exchange(has_list_changed_, false))
    changes.push_back({.what = What::kResources, .uri = {}, .task = {}});
  if (std::exchange(have_projects_changed_, false)) add(std::string(kProjectsUri));
  for (const std::string& id : std::exchange(changed_, {})) {
    add(session_uri(id));
    add(session_events_uri(id));
  }
  for (const std::string& id : std::exchange(turns_changed_, {})) {
    add(session_turns_uri(id));
    add(session_tasks_uri(id));
  }
  return changes;
}

}  // namespace oriel
