#include "auth/token_store.h"

#include "base/id.h"
#include "base/text/quote.h"
#include "base/time.h"
#include "http/base64.h"
#include "http/digest.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kSecretPrefix = "oriel_";  // lets secret scanners find a leaked one
constexpr const char* kLocalName = "local";

// "oriel_" and 32 random bytes in base64url.
std::string make_secret() {
  return std::string(kSecretPrefix) + http::base64url(http::random_bytes(32));
}

bool is_called(const Token& token, std::string_view id_or_name) {
  return token.id == id_or_name || token.name == id_or_name;
}

Error invalid_name(std::string_view name) {
  return {.kind = ErrorKind::kInvalidTokenName,
          .message = quote(name) + " cannot be a token's name",
          .hint = "choose 1 to 128 of A-Z a-z 0-9 . _ : - but not local"};
}

Error token_exists(std::string_view name) {
  return {.kind = ErrorKind::kTokenExists,
          .message = "there is a token " + quote(name) + " already",
          .hint = "choose another name, or revoke that one first"};
}

Error unknown_token(std::string_view id_or_name) {
  return {.kind = ErrorKind::kUnknownToken,
          .message = "there is no token " + quote(id_or_name),
          .hint = "give an id or a name as 'oriel token list' shows it"};
}

}  // namespace

TokenStore::TokenStore(std::filesystem::path file) : file_(std::move(file)) {
  know(file_.read());
}

std::shared_ptr<const TokenStore::Tokens> TokenStore::known() const {
  const MutexLock lock(mutex_);
  return tokens_;
}

void TokenStore::know(TokenFile::Contents contents) {
  auto tokens = std::make_shared<const Tokens>(std::move(contents.tokens));
  stamp_ = contents.stamp;
  const MutexLock lock(mutex_);
  tokens_ = std::move(tokens);
}

bool TokenStore::reload() {
  if (file_.stamp() == stamp_) return false;
  know(file_.read());
  return true;
}

void TokenStore::save(Tokens tokens) {
  file_.replace(tokens);
  know({.tokens = std::move(tokens), .stamp = file_.stamp()});
}

Result<NewToken> TokenStore::create(std::string name, bool may_write) {
  if (!is_name(name) || name == kLocalName) return invalid_name(name);
  const FileDescriptor lock = file_.lock();
  Tokens tokens = file_.read().tokens;
  const auto has_name = [&name](const Token& token) { return is_called(token, name); };
  if (std::any_of(tokens.begin(), tokens.end(), has_name)) return token_exists(name);

  NewToken made;
  made.secret = make_secret();
  made.token = {.id = random_id(),
                .name = std::move(name),
                .may_write = may_write,
                .sha256 = http::sha256_hex(made.secret),
                .created = format_time(wall_now())};
  tokens.push_back(made.token);
  save(std::move(tokens));
  return made;
}

Result<Token> TokenStore::revoke(std::string_view id_or_name) {
  const FileDescriptor lock = file_.lock();
  Tokens tokens = file_.read().tokens;
  const auto found = std::find_if(tokens.begin(), tokens.end(), [id_or_name](const Token& token) {
    return is_called(token, id_or_name);
  });
  if (found == tokens.end()) return unknown_token(id_or_name);
  Token revoked = std::move(*found);
  tokens.erase(found);
  save(std::move(tokens));
  return revoked;
}

std::vector<Token> TokenStore::list() const {
  return *known();
}

bool TokenStore::empty() const {
  return known()->empty();
}

std::optional<http::Principal> TokenStore::authenticate(std::string_view secret) const {
  const std::string hash = http::sha256_hex(secret);
  const auto tokens = known();
  const Token* owner = nullptr;
  for (const Token& token : *tokens) {  // to the end, so that time tells nothing of the place
    if (http::is_same_secret(token.sha256, hash)) owner = &token;
  }
  if (owner == nullptr) return std::nullopt;
  return http::Principal{.name = owner->name, .token_id = owner->id, .may_write = owner->may_write};
}

bool TokenStore::is_valid(const http::Principal& principal) const {
  const auto tokens = known();
  if (principal.token_id.empty()) return tokens->empty();
  return std::any_of(tokens->begin(), tokens->end(),
                     [&](const Token& token) { return token.id == principal.token_id; });
}

}  // namespace oriel
