#include "auth/token_store.h"

#include "auth/token_secret.h"
#include "base/event/permission.h"
#include "base/id.h"
#include "base/text/quote.h"
#include "base/time.h"
#include "http/digest.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

bool is_called(const Token& token, std::string_view id_or_name) {
  return token.id == id_or_name || token.name == id_or_name;
}

Error invalid_name(std::string_view name) {
  return {.kind = ErrorKind::kInvalidTokenName,
          .message = quote(name) + " is not a valid token name",
          .hint =
              "choose 1 to 128 of A-Z a-z 0-9 . _ : -, except local, rule, timeout, agent and "
              "restart"};
}

// In the place of a principal these names mean the operator, or that no principal decided.
bool is_reserved(std::string_view name) {
  return name == kLocalPrincipal || parse_decider(name).kind != DeciderKind::kPrincipal;
}

Error token_exists(std::string_view name) {
  return {.kind = ErrorKind::kTokenExists,
          .message = "a token " + quote(name) + " already exists",
          .hint = "choose another name, or revoke that one first"};
}

Error unknown_token(std::string_view id_or_name) {
  return {.kind = ErrorKind::kUnknownToken,
          .message = "there is no token " + quote(id_or_name),
          .hint = "use an id or a name from 'oriel token list'"};
}

Error invalid_creator() {
  return {.kind = ErrorKind::kUnauthorized,
          .message = "the token that this was made with has been revoked or has expired",
          .hint = "create another login link: oriel login-link"};
}

Result<void> limit_to_creator(TokenSpec& spec, const std::vector<Token>& tokens, WallTime now) {
  if (spec.creator.empty()) return {};
  const Token* const creator = find_token(tokens, spec.creator);
  if (creator == nullptr || creator->is_expired(now)) return invalid_creator();
  const auto& last = creator->expires;
  if (last && (!spec.expires || *last < *spec.expires)) spec.expires = last;
  return {};
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
  std::vector<Token>& list = contents.list.tokens;
  std::erase_if(list, [this](const Token& token) { return revoked_.contains(token.id); });
  erase_orphans(list);
  auto tokens = std::make_shared<const Tokens>(std::move(list));
  stamp_ = contents.stamp;
  const MutexLock lock(mutex_);
  tokens_ = std::move(tokens);
}

bool TokenStore::reload() {
  try {
    if (file_.stamp() == stamp_) return false;
    know(file_.read());
  } catch (...) {
    know({});
    throw;
  }
  return true;
}

void TokenStore::save(TokenList list) {
  erase_orphans(list.tokens);
  file_.replace(list);
  know({.list = std::move(list), .stamp = file_.stamp()});
}

TokenMerge TokenStore::merge(const SharedTokens& shared, WallTime now) {
  revoked_.clear();
  for (const auto& [id, revocation] : shared.revoked)
    revoked_.insert(id);
  know({.list = {.tokens = list()}, .stamp = stamp_});
  const FileDescriptor lock = file_.lock();
  TokenFile::Contents contents;
  try {
    contents = file_.read();
  } catch (...) {
    know({});
    throw;
  }
  TokenMerge merge = merge_tokens(contents.list, shared, now);
  know({.list = merge.list, .stamp = contents.stamp});
  if (merge.list != contents.list) {
    file_.replace(merge.list);
    stamp_ = file_.stamp();
  }
  merged_ = stamp_;
  return merge;
}

Result<NewToken> TokenStore::create(TokenSpec spec) {
  const std::string& name = spec.name;
  if (!is_name(name) || is_reserved(name)) return invalid_name(name);
  const FileDescriptor lock = file_.lock();
  TokenList list = file_.read().list;
  std::vector<Token>& tokens = list.tokens;
  const auto has_name = [&name](const Token& token) { return is_called(token, name); };
  if (std::any_of(tokens.begin(), tokens.end(), has_name)) return token_exists(name);
  const WallTime now = wall_now();
  if (auto limited = limit_to_creator(spec, tokens, now); !limited) return limited.error();

  NewToken made;
  made.secret = make_token_secret();
  made.token = {.id = random_id(),
                .name = std::move(spec.name),
                .kind = spec.kind,
                .scopes = spec.scopes,
                .projects = std::move(spec.projects),
                .sha256 = http::sha256_hex(made.secret),
                .created = now,
                .expires = spec.expires,
                .creator = std::move(spec.creator)};
  tokens.push_back(made.token);
  save(std::move(list));
  return made;
}

Result<Token> TokenStore::revoke(std::string_view id_or_name) {
  const FileDescriptor lock = file_.lock();
  TokenList list = file_.read().list;
  std::vector<Token>& tokens = list.tokens;
  const auto found = std::find_if(tokens.begin(), tokens.end(), [id_or_name](const Token& token) {
    return is_called(token, id_or_name);
  });
  if (found == tokens.end()) return unknown_token(id_or_name);
  Token revoked = std::move(*found);
  tokens.erase(found);
  save(std::move(list));
  return revoked;
}

void TokenStore::revoke_browser(std::string_view id) {
  const FileDescriptor lock = file_.lock();
  TokenList list = file_.read().list;
  const std::size_t removed = std::erase_if(list.tokens, [id](const Token& token) {
    return token.id == id && token.kind == TokenKind::kBrowser;
  });
  if (removed > 0) save(std::move(list));
}

void TokenStore::remove_expired_logins(WallTime now) {
  const FileDescriptor lock = file_.lock();
  TokenList list = file_.read().list;
  const std::size_t removed = std::erase_if(list.tokens, [now](const Token& token) {
    return token.kind == TokenKind::kBrowser && token.is_expired(now);
  });
  if (removed > 0) save(std::move(list));
}

std::vector<Token> TokenStore::list() const {
  return *known();
}

bool TokenStore::empty() const {
  return known()->empty();
}

bool TokenStore::has_valid_token(WallTime now) const {
  const auto tokens = known();
  return std::any_of(tokens->begin(), tokens->end(), [now](const Token& token) {
    return token.kind == TokenKind::kBearer && !token.is_expired(now);
  });
}

std::optional<Principal> TokenStore::authenticate(TokenKind kind, std::string_view secret,
                                                  WallTime now) const {
  const std::string hash = http::sha256_hex(secret);
  const auto tokens = known();
  const Token* owner = nullptr;
  for (const Token& token :
       *tokens) {  // compares all, so that the time does not reveal the position
    if (http::is_same_secret(token.sha256, hash)) owner = &token;
  }
  if (owner == nullptr && kind == TokenKind::kBearer) return session_tokens_.find(secret);
  if (owner == nullptr || owner->kind != kind || owner->is_expired(now)) return std::nullopt;
  return Principal{.name = owner->name,
                   .credential_id = owner->id,
                   .scopes = owner->scopes,
                   .projects = owner->projects};
}

bool TokenStore::is_valid(const Principal& principal, WallTime now) const {
  if (principal.credential_id.empty()) return true;
  if (!principal.session_id.empty()) return session_tokens_.is_valid(principal);
  const auto tokens = known();
  return std::any_of(tokens->begin(), tokens->end(), [&](const Token& token) {
    return token.id == principal.credential_id && !token.is_expired(now);
  });
}

}  // namespace oriel
