#pragma once
// `oriel token`: who may use the server beyond this machine.

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

enum class TokenAction { kCreate, kList, kRevoke };

struct TokenOptions {
  TokenAction action = TokenAction::kList;
  std::string name;  // to create, or name or id to revoke
  bool is_read_only = false;
  std::filesystem::path data_dir;
};

// A new secret is all that `create` prints on `out`, for $(oriel token create NAME); how to use it
// goes to `err`. Returns the exit code.
int token_command(const TokenOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
