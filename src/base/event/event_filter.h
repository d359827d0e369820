#pragma once
// Selects records: AND across lists, OR within a list, an empty list means any. A filter selects
// either audit records or all others.

#include "base/error.h"
#include "base/event/record.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct EventFilter {
  std::vector<std::string> types;
  std::vector<std::string> projects;
  std::vector<std::string> sessions;
  bool is_audit = false;

  // A type may be the name on /api/events or the event's own: "session_event", "tool_call".
  // A record without a project (or session) never matches a list of them.
  bool matches(const Record& record) const;

  // Whether it matches everything but the audit.
  bool is_open() const {
    return types.empty() && projects.empty() && sessions.empty() && !is_audit;
  }

  bool operator==(const EventFilter&) const = default;
};

constexpr std::size_t kMaxFilterNames = 256;

// Adds the names of "a,b,c" to one of the filter's lists. `parameter` names the query parameter in
// errors. Fails for an empty or invalid name and for more than kMaxFilterNames names.
Result<void> add_names(std::vector<std::string>& list, std::string_view parameter,
                       std::string_view value);

}  // namespace oriel
