#pragma once
// The tokens that the nodes of a cluster share, and how the token file of a node follows them.
// Pure.

#include "auth/token_file.h"
#include "base/time.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Nobody brings this token back.
struct Revocation {
  std::optional<WallTime> expires;  // when the token would have expired anyway; none: never

  bool operator==(const Revocation&) const = default;
};

// As documents store them.
std::string to_document(const Token& token);
std::string to_document(const Revocation& revocation);

struct SharedTokens {
  std::map<std::string, Token> valid;         // by id, as `revoked`
  std::map<std::string, Revocation> revoked;  // no id is in both

  // Takes the document of the token with this id; empty: there is none any more. One that cannot be
  // read revokes the token.
  void take(const std::string& id, std::string_view document);
};

// How a file follows them, and what it adds to them.
struct TokenMerge {
  struct Renamed {
    std::string from;
    std::string to;
  };

  TokenList list;                    // the new content of the file
  std::vector<std::string> revoked;  // ids of shared tokens that were revoked by this file
  std::vector<Token> created;        // tokens that only this file has; creators first
  std::vector<Renamed> renamed;      // of these: another token has the name
};

// A token is revoked if any file has lost it, or if its creator is. A file without any token that
// was shared gets all. An expired login, and an expired token that was shared before, are dropped.
TokenMerge merge_tokens(const TokenList& file, const SharedTokens& shared, WallTime now);

// Removes tokens whose creator is gone, then the tokens that these created, and so on.
void erase_orphans(std::vector<Token>& tokens);

}  // namespace oriel
