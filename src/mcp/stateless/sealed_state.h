#pragma once
// State that a client carries for the server. Authenticated with HMAC-SHA256, bound to a purpose,
// and expiring. Not encrypted: the client can read it. It can be used repeatedly until it expires.

#include "base/time.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

class StateSealer {
 public:
  // Uses a fresh random key: state sealed by another instance does not open.
  StateSealer();

  // Opens what an instance with this key has sealed.
  explicit StateSealer(std::string key) : key_(std::move(key)) {}

  const std::string& key() const { return key_; }

  // `purpose` identifies the client and use of the state. It is authenticated but not part of the
  // text: open() needs the same value.
  std::string seal(const boost::json::object& state, std::string_view purpose, WallTime now) const;

  // None unless this sealer sealed it for that purpose within `max_age`.
  std::optional<boost::json::object> open(std::string_view text, std::string_view purpose,
                                          WallTime now, std::chrono::milliseconds max_age) const;

 private:
  std::string key_;
};

}  // namespace oriel::mcp
