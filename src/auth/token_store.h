#pragma once
// Who may use the server: bearer tokens, kept only as SHA-256 hashes in one file that `oriel token`
// writes and the server watches.

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
  std::string secret;  // "oriel_..." with 256 random bits; shown once, kept nowhere
};

// The file is JSON, mode 0600, replaced in one step, and locked against a second writer while it is
// changed. The constructor, reload() and the changes block and belong on one thread; the look-ups
// do not and are safe from any.
class TokenStore {
 public:
  // Reads the file. One that is not there holds no tokens.
  explicit TokenStore(std::filesystem::path file);

  // Reads the file again if it has changed; true if it had. A file that cannot be read or parsed is
  // an exception that names it, and what was known before stays in force.
  bool reload();

  // The error says what is wrong with the name, or that there is a token of that name already.
  Result<NewToken> create(std::string name, bool may_write);

  // By id or name; the error says that there is none.
  Result<Token> revoke(std::string_view id_or_name);

  std::vector<Token> list() const;
  bool empty() const;

  // The owner of this secret, compared in constant time; none if there is none.
  std::optional<http::Principal> authenticate(std::string_view secret) const;

  // Whether this principal's token still exists. "local" holds while there are no tokens.
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
