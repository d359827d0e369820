#include "auth/shared_tokens.h"

#include "base/id.h"
#include "base/text/json_access.h"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kSuffixLength = 6;

// It cannot be valid, and nobody needs to see that it was.
bool is_over(const Token& token, const TokenList& file, WallTime now) {
  const bool was_shared = file.shared.contains(token.id);
  return token.is_expired(now) && (was_shared || token.kind == TokenKind::kBrowser);
}

// "laptop-k7q2ab".
std::string with_suffix(const Token& token) {
  return token.name.substr(0, kMaxNameLength - kSuffixLength - 1) + "-" +
         token.id.substr(0, kSuffixLength);
}

// The oldest first.
std::vector<Token> created_elsewhere(const TokenList& file, const SharedTokens& shared) {
  std::vector<Token> tokens;
  for (const auto& [id, token] : shared.valid) {
    if (find_token(file.tokens, id) == nullptr && !file.shared.contains(id))
      tokens.push_back(token);
  }
  const auto is_older = [](const Token& a, const Token& b) {
    return std::tie(a.created, a.id) < std::tie(b.created, b.id);
  };
  std::sort(tokens.begin(), tokens.end(), is_older);
  return tokens;
}

}  // namespace

std::string to_document(const Token& token) {
  return format_token(token);
}

std::string to_document(const Revocation& revocation) {
  json::object object{{"revoked", true}};
  if (revocation.expires) object["expires"] = format_time(*revocation.expires);
  return json::serialize(object);
}

void SharedTokens::take(const std::string& id, std::string_view document) {
  valid.erase(id);
  revoked.erase(id);
  if (document.empty()) return;
  const json::object object = parse_object(document);
  if (is_true(member(object, "revoked"))) {
    revoked[id] = {.expires = parse_time(text_of(member(object, "expires")))};
    return;
  }
  try {
    Token token = parse_token(document);
    if (token.id == id) valid[id] = std::move(token);
  } catch (const std::runtime_error&) {
    // Handled below.
  }
  if (!valid.contains(id)) revoked[id] = {};
}

TokenMerge merge_tokens(const TokenList& file, const SharedTokens& shared, WallTime now) {
  TokenMerge merge;
  merge.list.shared = file.shared;
  std::vector<Token>& tokens = merge.list.tokens;
  std::vector<Token> unknown;
  for (const Token& token : file.tokens) {
    const auto known = shared.valid.find(token.id);
    if (known != shared.valid.end())
      tokens.push_back(known->second);
    else if (shared.revoked.contains(token.id) || is_over(token, file, now))
      merge.list.shared.erase(token.id);
    else
      unknown.push_back(token);
  }
  std::vector<Token> others = created_elsewhere(file, shared);
  std::move(others.begin(), others.end(), std::back_inserter(tokens));

  std::set<std::string> names;
  for (const Token& token : tokens)
    names.insert({token.id, token.name});
  for (Token& token : unknown) {
    if (names.contains(token.name)) {
      merge.renamed.push_back({.from = token.name, .to = with_suffix(token)});
      token.name = merge.renamed.back().to;
    }
    names.insert({token.id, token.name});
    tokens.push_back(token);
  }

  erase_orphans(tokens);
  for (const Token& token : unknown) {
    if (find_token(tokens, token.id) == nullptr) continue;
    merge.created.push_back(token);
    merge.list.shared.insert(token.id);
  }
  for (const auto& [id, token] : shared.valid) {
    if (find_token(tokens, id) == nullptr) merge.revoked.push_back(id);
    merge.list.shared.insert(id);
  }
  std::erase_if(merge.list.shared,
                [&shared](const std::string& id) { return shared.revoked.contains(id); });
  return merge;
}

void erase_orphans(std::vector<Token>& tokens) {
  std::size_t removed = 1;
  while (removed > 0) {
    const std::vector<Token> known = tokens;
    removed = std::erase_if(tokens, [&known](const Token& token) {
      return !token.creator.empty() && find_token(known, token.creator) == nullptr;
    });
  }
}

}  // namespace oriel
