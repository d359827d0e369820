#pragma once
// The token file: JSON, mode 0600, replaced atomically. Everything here blocks. Failures are
// exceptions that name the file and the remedy.

#include "base/principal.h"
#include "base/time.h"
#include "posix/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace oriel {

enum class TokenKind {
  kBearer,   // in the Authorization header
  kBrowser,  // in a cookie, from a login link
};

struct Token {
  std::string id;    // random_id()
  std::string name;  // chosen by the operator
  TokenKind kind = TokenKind::kBearer;
  ScopeSet scopes;
  std::vector<std::string> projects;  // that it is limited to; empty: none
  std::string sha256;                 // of the secret, in hex
  WallTime created;
  std::optional<WallTime> expires;  // none: never
  std::string creator = {};         // id of the token that a login was made with; empty: none

  bool is_expired(WallTime now) const { return expires && *expires <= now; }

  bool operator==(const Token&) const = default;
};

// The token with this id; null if there is none.
const Token* find_token(const std::vector<Token>& tokens, std::string_view id);

// Detects changes of a file without reading it.
struct FileStamp {
  std::uint64_t inode = 0;  // 0: no file
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

// What a token file has.
struct TokenList {
  std::vector<Token> tokens;
  // In a cluster: ids of tokens that this file has had and that the nodes share, or are about to.
  // One that it does not have any more was revoked here. Else empty.
  std::set<std::string> shared = {};

  bool operator==(const TokenList&) const = default;
};

// {"version":2,"tokens":[...]}, a token on each line; in a cluster also "shared":["id",...].
std::string format_tokens(const TokenList& list);

// Throws std::runtime_error that says what is wrong with the text.
TokenList parse_tokens(std::string_view text);

// One of them.
std::string format_token(const Token& token);

// Throws as parse_tokens().
Token parse_token(std::string_view text);

class TokenFile {
 public:
  // `user` owns the file.
  explicit TokenFile(std::filesystem::path path, std::uint32_t user = ::geteuid());

  // Waits for the lock, which is held until the descriptor is closed.
  [[nodiscard]] FileDescriptor lock() const;

  FileStamp stamp() const;

  struct Contents {
    TokenList list;
    FileStamp stamp;
  };

  // A missing file holds no tokens. Fails if the file belongs to another user or others can write
  // it, and logs a warning if they can read it.
  Contents read() const;

  // Requires lock(). Durable on return.
  void replace(const TokenList& list) const;

 private:
  std::filesystem::path path_;
  std::uint32_t user_;
};

}  // namespace oriel
