#pragma once
// Limits how often changes of resources are announced to MCP clients. Pure.

#include "base/record.h"
#include "mcp/change.h"

#include <set>
#include <string>
#include <vector>

namespace oriel {

// Announces each resource at most once per tick.
class ChangeCoalescer {
 public:
  // Returns changes to announce now; later ones wait for the next tick.
  std::vector<mcp::Change> on_record(const Record& record);

  // Returns the changes since the last tick.
  std::vector<mcp::Change> on_tick();

  // True from the first change until a tick finds none.
  bool needs_tick() const { return needs_tick_; }

 private:
  std::vector<mcp::Change> take();

  std::set<std::string> changed_;        // session ids
  std::set<std::string> turns_changed_;  // session ids
  bool has_list_changed_ = false;
  bool have_projects_changed_ = false;
  bool needs_tick_ = false;
};

}  // namespace oriel
