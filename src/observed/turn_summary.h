#pragma once
// A summary of the turns of an observed agent. A value.

#include <cstdint>
#include <string>

namespace oriel {

struct TurnSummary {
  std::uint64_t count = 0;
  std::string newest_task_id;
  std::string title;      // the beginning of the first command, or the transcript's own title
  std::string last_text;  // the end of the agent's last text
  std::uint64_t next_ordinal = 1;
  std::uint64_t last_entry_ordinal = 0;  // of the transcript's newest turn

  bool operator==(const TurnSummary&) const = default;
};

}  // namespace oriel
