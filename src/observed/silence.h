#pragma once
// Why nothing arrives from an observed agent. Pure.

#include "base/work_state.h"

#include <optional>
#include <string_view>

namespace oriel {

enum class Silence {
  kNone,      // something arrived a moment ago
  kAtRest,    // the agent has nothing to do
  kQuestion,  // it waits for a person
  kTool,      // a tool runs
  kUnknown,   // it should work
  kGone,      // its process has ended
};

std::string_view name_of(Silence silence);  // "none", "at_rest", "question", "tool", ...
std::optional<Silence> parse_silence(std::string_view name);

// What a person should be told of.
bool is_notable(Silence silence);

// Of an agent whose process may still be there. `is_long`: nothing has arrived for longer than it
// takes while the agent works.
Silence silence_of(WorkState state, bool has_tool, bool is_long);

}  // namespace oriel
