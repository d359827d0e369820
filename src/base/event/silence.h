#pragma once
// Why nothing arrives from an observed agent.

#include <optional>
#include <string_view>

namespace oriel {

enum class Silence {
  kNone,      // something arrived a moment ago
  kIdle,      // the agent has nothing to do
  kQuestion,  // it waits for a person
  kTool,      // a tool runs
  kUnknown,   // it should work
  kGone,      // its process has ended
};

std::string_view name_of(Silence silence);  // "none", "idle", "question", "tool", ...
std::optional<Silence> parse_silence(std::string_view name);

}  // namespace oriel
