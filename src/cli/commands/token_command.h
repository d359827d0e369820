#pragma once
// `oriel token`: creates, lists and revokes access tokens.

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

enum class TokenAction { kCreate, kList, kRevoke };

struct TokenOptions {
  TokenAction action = TokenAction::kList;
  std::string name;  // of the new token; name or id of the revoked one
  bool is_read_only = false;
  std::filesystem::path data_dir;
};

// `create` prints only the secret on `out`, for $(oriel token create NAME), and how to use it on
// `err`. Returns the exit code.
int token_command(const TokenOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
