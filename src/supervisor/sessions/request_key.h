#pragma once
// Identifies a request that creates a session.

#include <compare>
#include <string>

namespace oriel {

// Clients choose request ids, so that only one's own in the same project count.
struct RequestKey {
  std::string owner;
  std::string project_id;
  std::string request_id;

  auto operator<=>(const RequestKey&) const = default;
};

}  // namespace oriel
