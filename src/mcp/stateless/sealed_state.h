#pragma once
// State that a client carries for the server. Authenticated, bound to a principal and purpose, and
// expiring. Not encrypted: it must not contain secrets.

#include "base/time.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

class StateSealer {
 public:
  // Uses a fresh random key: state sealed by another instance, or before a restart, does not open.
  StateSealer();

  // `purpose` names the principal and use; it is authenticated, not stored.
  std::string seal(const boost::json::object& state, std::string_view purpose, WallTime now) const;

  // None unless this sealer sealed it for that purpose within `max_age`.
  std::optional<boost::json::object> open(std::string_view text, std::string_view purpose,
                                          WallTime now, std::chrono::milliseconds max_age) const;

 private:
  std::string key_;
};

}  // namespace oriel::mcp
