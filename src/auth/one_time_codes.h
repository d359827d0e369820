#pragma once
// Codes that work once and for a short time: login links of browsers, and tickets of clients that
// cannot send headers.

#include "base/mutex.h"
#include "base/principal.h"
#include "base/time.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

struct OneTimeCodeLimits {
  std::chrono::milliseconds ttl{30'000};
  std::size_t max_open = 10'000;
  std::size_t max_open_per_principal = 100;  // beyond: the oldest is dropped
};

// Thread-safe, for any shard; kept in memory only, so that a restart ends all of them.
class OneTimeCodes {
 public:
  explicit OneTimeCodes(OneTimeCodeLimits limits) : limits_(limits) {}

  // A new code of 256 random bits with the principal's rights. None if too many are open.
  std::optional<std::string> issue(const Principal& principal, WallTime now);

  // Uses up the code and returns its principal. None if it is unknown, used or expired.
  std::optional<Principal> redeem(std::string_view code, WallTime now);

  // The same by the SHA-256 of the code, in hex.
  std::optional<Principal> redeem_hash(const std::string& hash, WallTime now);

 private:
  struct Grant {
    Principal principal;
    WallTime expires;
  };

  void remove_expired(WallTime now) REQUIRES(mutex_);

  OneTimeCodeLimits limits_;
  Mutex mutex_;  // a code may be issued on one shard and redeemed on another
  std::map<std::string, Grant> grants_ GUARDED_BY(mutex_);  // by the SHA-256 of the code
};

}  // namespace oriel
