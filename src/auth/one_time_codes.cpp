#include "auth/one_time_codes.h"

#include "base/text/base64.h"
#include "http/digest.h"

#include <algorithm>

namespace oriel {

std::optional<std::string> OneTimeCodes::issue(const Principal& principal, WallTime now) {
  const std::string code = base64url(http::random_bytes(32));
  const MutexLock lock(mutex_);
  remove_expired(now);
  std::size_t own = 0;
  auto oldest = grants_.end();
  for (auto it = grants_.begin(); it != grants_.end(); ++it) {
    if (it->second.principal.credential_id != principal.credential_id) continue;
    ++own;
    if (oldest == grants_.end() || it->second.expires < oldest->second.expires) oldest = it;
  }
  if (own >= limits_.max_open_per_principal) grants_.erase(oldest);
  if (grants_.size() >= limits_.max_open) return std::nullopt;
  grants_[http::sha256_hex(code)] = {.principal = principal, .expires = now + limits_.ttl};
  return code;
}

std::optional<Principal> OneTimeCodes::redeem(std::string_view code, WallTime now) {
  // So that the time of the comparison reveals nothing.
  return redeem_hash(http::sha256_hex(code), now);
}

std::optional<Principal> OneTimeCodes::redeem_hash(const std::string& hash, WallTime now) {
  const MutexLock lock(mutex_);
  remove_expired(now);
  auto grant = grants_.extract(hash);
  if (grant.empty()) return std::nullopt;
  return std::move(grant.mapped().principal);
}

void OneTimeCodes::remove_expired(WallTime now) {
  std::erase_if(grants_, [now](const auto& each) { return each.second.expires <= now; });
}

}  // namespace oriel
