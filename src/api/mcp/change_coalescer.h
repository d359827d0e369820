#pragma once
// Limits how often MCP clients are notified of resource changes, and names the affected projects.
// Pure.

#include "base/event/record.h"
#include "mcp/change.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace oriel {

// Reports each resource at most once per tick, with the projects that it affects.
class ChangeCoalescer {
 public:
  // Returns the changes to send now. Further changes wait for the next tick.
  std::vector<mcp::Change> on_record(const Record& record);

  // Returns the changes since the last tick.
  std::vector<mcp::Change> on_tick();

  // True from the first change until a tick finds none.
  bool needs_tick() const { return needs_tick_; }

 private:
  using ProjectIds = std::set<std::string>;

  std::vector<mcp::Change> take();

  std::map<std::string, ProjectIds> changed_;        // by session id
  std::map<std::string, ProjectIds> turns_changed_;  // by session id
  ProjectIds list_changed_;                          // projects with a session that began or ended
  ProjectIds projects_changed_;
  bool needs_tick_ = false;
};

}  // namespace oriel
