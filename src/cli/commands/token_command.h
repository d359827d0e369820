#pragma once
// `oriel token`: creates, lists and revokes access tokens.

#include "base/principal.h"

#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

enum class TokenAction { kCreate, kList, kRevoke };

struct TokenOptions {
  TokenAction action = TokenAction::kList;
  std::string name;                   // of the new token; name or id of the revoked one
  ScopeSet scopes;                    // of the new token
  std::vector<std::string> projects;  // that it is limited to; empty: none
  std::optional<std::chrono::seconds> expires_in;  // none: never
  std::filesystem::path data_dir;
};

// `create` prints only the secret on `out`, for $(oriel token create NAME), and how to use it on
// `err`. Returns the exit code.
int token_command(const TokenOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
