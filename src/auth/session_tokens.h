#pragma once
// Tokens of agents that may reach Oriel. Each has the scope read and sees only its own session.

#include "base/mutex.h"
#include "base/principal.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// Thread-safe. Kept in memory only; secrets are stored as SHA-256 hashes.
class SessionTokens {
 public:
  // A new secret; it replaces the session's last one.
  std::string issue(const std::string& session_id);

  // Has no effect for a session without a token.
  void revoke(const std::string& session_id);

  // The owner of this secret, compared in constant time. None for an unknown one.
  std::optional<Principal> find(std::string_view secret) const;

  // Whether this principal's token has been neither revoked nor replaced.
  bool is_valid(const Principal& principal) const;

 private:
  struct Issued {
    std::string sha256;
    Principal principal;
  };

  mutable Mutex mutex_;  // an agent's token is issued on its shard and looked up on any
  std::map<std::string, Issued> issued_ GUARDED_BY(mutex_);  // by session
};

}  // namespace oriel
