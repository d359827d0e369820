#include "auth/session_tokens.h"

#include "auth/token_secret.h"
#include "base/id.h"
#include "http/digest.h"

#include <utility>

namespace oriel {

std::string SessionTokens::issue(const std::string& session_id) {
  std::string secret = make_token_secret();
  Principal principal{.name = "agent:" + session_id,
                      .credential_id = random_id(),
                      .scopes = {Scope::kRead},
                      .projects = {},
                      .session_id = session_id};
  Issued issued{.sha256 = http::sha256_hex(secret), .principal = std::move(principal)};
  const MutexLock lock(mutex_);
  issued_.insert_or_assign(session_id, std::move(issued));
  return secret;
}

void SessionTokens::revoke(const std::string& session_id) {
  const MutexLock lock(mutex_);
  issued_.erase(session_id);
}

std::optional<Principal> SessionTokens::find(std::string_view secret) const {
  const std::string hash = http::sha256_hex(secret);
  std::optional<Principal> owner;
  const MutexLock lock(mutex_);
  for (const auto& [session_id, issued] : issued_) {  // to the end, as TokenStore does
    if (http::is_same_secret(issued.sha256, hash)) owner = issued.principal;
  }
  return owner;
}

bool SessionTokens::is_valid(const Principal& principal) const {
  const MutexLock lock(mutex_);
  const auto found = issued_.find(principal.session_id);
  return found != issued_.end() && found->second.principal.credential_id == principal.credential_id;
}

}  // namespace oriel
