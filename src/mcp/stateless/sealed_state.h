#pragma once
// State that a client carries for the server: it can neither change it, nor use it for another
// principal or purpose, nor keep it for ever. Readable by the client: it is no place for secrets.

#include "base/time.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

class StateSealer {
 public:
  // With a random key of its own: what another sealer has sealed, or this program before a restart,
  // does not open.
  StateSealer();

  // `purpose` names whom and what it is for; it is not in the text.
  std::string seal(const boost::json::object& state, std::string_view purpose, WallTime now) const;

  // None if it was not sealed by this sealer for that purpose, or more than `max_age` ago.
  std::optional<boost::json::object> open(std::string_view text, std::string_view purpose,
                                          WallTime now, std::chrono::milliseconds max_age) const;

 private:
  std::string key_;
};

}  // namespace oriel::mcp
