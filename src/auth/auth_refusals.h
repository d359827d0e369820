#pragma once
// Requests that were refused for lack of access: counted by reason, and wrong credentials logged
// and slowed down.

#include "auth/failed_attempts.h"
#include "http/request.h"
#include "http/response.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

enum class AuthRefusal {
  kMissingCredential,
  kWrongToken,
  kWrongTicket,
  kWrongCookie,
  kWrongCode,  // of a login link
  kScope,
  kOrigin,
  kHost,
  kSlowed,  // a wrong credential of a sender that has to wait
};

constexpr std::size_t kAuthRefusals = 9;

std::string_view name_of(AuthRefusal reason);  // "missing_credential", "wrong_token", ...

// Thread-safe, for any shard.
class AuthRefusals {
 public:
  explicit AuthRefusals(FailedAttemptLimits limits = {}) : attempts_(limits) {}

  void count(AuthRefusal reason);

  // Records a wrong credential. Returns how long its sender has to wait; zero: it need not yet.
  // Valid credentials are never slowed down, so that their holders cannot be locked out.
  std::chrono::seconds wrong_credential(const http::Request& request, AuthRefusal reason,
                                        SteadyTime now);

  std::uint64_t count_of(AuthRefusal reason) const;

  // Wrong credentials, without those of senders that had to wait.
  std::uint64_t failures() const { return attempts_.total(); }

 private:
  FailedAttempts attempts_;
  std::array<std::atomic<std::uint64_t>, kAuthRefusals> counts_{};
};

// 429 with Retry-After.
http::Response slow_down(std::chrono::seconds wait);

// Whose attempts are counted together: an address, of IPv6 its /64, and on this machine the user,
// so that one user cannot make another wait.
std::string sender_of(const http::Request& request);

}  // namespace oriel
