#pragma once
// Bearer tokens, stored only as SHA-256 hashes in one file that `oriel token` writes and the server
// polls.

#include "auth/token_file.h"
#include "base/error.h"
#include "base/mutex.h"
#include "http/request.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct NewToken {
  Token token;
  std::string secret;  // "oriel_..." with 256 random bits; shown once, never stored
};

// The constructor, reload(), create() and revoke() block and belong on one thread; look-ups are
// thread-safe and do not block.
class TokenStore {
 public:
  // Reads the file. A missing file holds no tokens.
  explicit TokenStore(std::filesystem::path file);

  // Reads the file again if it has changed and returns whether it had. Throws if it cannot be read
  // or parsed; the tokens known before stay in force.
  bool reload();

  // Fails for an invalid or duplicate name.
  Result<NewToken> create(std::string name, bool may_write);

  // By id or name.
  Result<Token> revoke(std::string_view id_or_name);

  std::vector<Token> list() const;
  bool empty() const;

  // The owner of this secret, compared in constant time.
  std::optional<http::Principal> authenticate(std::string_view secret) const;

  // Whether this principal's token still exists. "local" is valid while no token exists.
  bool is_valid(const http::Principal& principal) const;

 private:
  using Tokens = std::vector<Token>;

  std::shared_ptr<const Tokens> known() const;
  void know(TokenFile::Contents contents);
  void save(Tokens tokens);

  TokenFile file_;
  FileStamp stamp_;  // of the file when it was read

  // Not an atomic shared_ptr: libstdc++ 12's load() ends without release order, a race off x86.
  mutable Mutex mutex_;
  std::shared_ptr<const Tokens> tokens_ GUARDED_BY(mutex_);
};

}  // namespace oriel
