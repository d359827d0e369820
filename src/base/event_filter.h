#pragma once
// Which records a reader wants: AND across kinds, OR inside one, an empty list means any.

#include "base/error.h"
#include "base/record.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct EventFilter {
  std::vector<std::string> types;
  std::vector<std::string> projects;
  std::vector<std::string> sessions;

  // A type may be the name on /api/events or the event's own: "session_event", "tool_call".
  // A record without a project (or session) never matches a list of them.
  bool matches(const Record& record) const;

  bool is_open() const { return types.empty() && projects.empty() && sessions.empty(); }

  bool operator==(const EventFilter&) const = default;
};

constexpr std::size_t kMaxFilterNames = 256;

// Adds the names of "a,b,c" to one of the filter's lists. `parameter` is what an error calls the
// culprit. An empty name, a character that no name has, or more than kMaxFilterNames in the list is
// an error.
Result<void> add_names(std::vector<std::string>& list, std::string_view parameter,
                       std::string_view value);

}  // namespace oriel
