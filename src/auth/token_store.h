#pragma once
// All valid tokens. Bearer tokens and browser logins are stored as SHA-256 hashes in one file that
// `oriel token` writes and the server polls. In a cluster the file also follows what the nodes
// share. Tokens of agents are kept in memory.

#include "auth/session_tokens.h"
#include "auth/shared_tokens.h"
#include "auth/token_file.h"
#include "base/error.h"
#include "base/mutex.h"
#include "base/principal.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct TokenSpec {
  std::string name;
  TokenKind kind = TokenKind::kBearer;
  ScopeSet scopes;
  std::vector<std::string> projects = {};
  std::optional<WallTime> expires = {};
  std::string creator = {};  // id of the token that asks for it; empty: the operator does
};

struct NewToken {
  Token token;
  std::string secret;  // "oriel_..." with 256 random bits; shown once, never stored
};

// The constructor, reload(), create(), revoke() and merge() block and belong on one thread;
// look-ups are thread-safe and do not block.
class TokenStore {
 public:
  // Reads the file. A missing file holds no tokens.
  explicit TokenStore(std::filesystem::path file);

  // Reads the file again if it has changed and returns whether it had. If it cannot be read or
  // parsed, this throws and no token is valid until it can.
  bool reload();

  // A token with a creator expires with it at the latest, and is revoked with it. Fails for an
  // invalid or duplicate name, or if the creator is no longer valid.
  Result<NewToken> create(TokenSpec spec);

  // Revokes a token and all that were made with it. Fails if no token has this id or name.
  Result<Token> revoke(std::string_view id_or_name);

  // Revokes a browser login. Does nothing for any other id.
  void revoke_browser(std::string_view id);

  void remove_expired_logins(WallTime now);

  // In a cluster: writes what the nodes share into the file, and returns what is new in the file
  // and missing in `shared`. What `shared` calls revoked is valid no longer, whatever the file
  // says, also if this throws because the file cannot be read, as reload(), or written.
  TokenMerge merge(const SharedTokens& shared, WallTime now);

  // Whether the file has changed since merge(), as far as reload(), create() and revoke() know.
  bool has_unmerged() const { return stamp_ != merged_; }

  // The tokens of the file.
  std::vector<Token> list() const;
  bool empty() const;

  // Whether a bearer token of the file has not expired.
  bool has_valid_token(WallTime now) const;

  // The tokens of agents. Usable on any shard.
  SessionTokens& session_tokens() { return session_tokens_; }

  // The owner of this secret, compared in constant time. None for an unknown or expired one.
  std::optional<Principal> authenticate(TokenKind kind, std::string_view secret,
                                        WallTime now) const;

  // Whether this principal's token still exists and has not expired. "local" has none and is valid.
  bool is_valid(const Principal& principal, WallTime now) const;

 private:
  using Tokens = std::vector<Token>;

  std::shared_ptr<const Tokens> known() const;
  void know(TokenFile::Contents contents);
  void save(TokenList list);

  TokenFile file_;
  FileStamp stamp_;                // of the file when it was read
  FileStamp merged_;               // of the file after merge()
  std::set<std::string> revoked_;  // ids that another node's file cannot bring back
  SessionTokens session_tokens_;

  // Not an atomic shared_ptr: libstdc++ 12's load() ends without release order, a race off x86.
  mutable Mutex mutex_;
  std::shared_ptr<const Tokens> tokens_ GUARDED_BY(mutex_);
};

}  // namespace oriel
