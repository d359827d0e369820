#pragma once
// Formats sessions for people.

#include "base/time.h"
#include "cli/render/terminal.h"
#include "client/session_info.h"

#include <string>
#include <vector>

namespace oriel {

struct TableStyle {
  Screen screen;
  WallTime now;
  std::string home;  // shown as ~; empty if unknown
};

// One line each below a heading: id, agent, state, project or workspace, age, and current tool or
// last text.
std::string session_table(const std::vector<SessionInfo>& sessions, const TableStyle& style);

// One session in detail, with its open questions.
std::string session_details(const SessionInfo& session, const TableStyle& style);

}  // namespace oriel
