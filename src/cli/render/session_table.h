#pragma once
// Sessions as a person reads them.

#include "base/time.h"
#include "cli/render/terminal.h"
#include "client/session_info.h"

#include <string>
#include <vector>

namespace oriel {

struct TableStyle {
  Screen screen;
  WallTime now;
  std::string home;  // shown as ~; empty: none
};

// A line each under a heading: id, agent, state, project or workspace, age, and what it last said
// or does now.
std::string session_table(const std::vector<SessionInfo>& sessions, const TableStyle& style);

// All about one, and what it waits for.
std::string session_details(const SessionInfo& session, const TableStyle& style);

}  // namespace oriel
