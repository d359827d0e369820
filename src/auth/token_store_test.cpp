#include "auth/token_store.h"

#include "base/id.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class TokenStoreTest : public testing::Test {
 protected:
  fs::path path() const { return directory / "tokens.json"; }

  std::string text() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TempDirectory directory;
};

const Principal kLocal{
    .name = "local", .credential_id = "", .scopes = ScopeSet::all(), .projects = {}};
constexpr WallTime kNow{std::chrono::hours(1)};

TokenSpec spec(std::string name, ScopeSet scopes = ScopeSet::all()) {
  return {.name = std::move(name), .kind = TokenKind::kBearer, .scopes = scopes};
}

std::optional<Principal> owner_of(const TokenStore& store, std::string_view secret) {
  return store.authenticate(TokenKind::kBearer, secret, kNow);
}

TEST_F(TokenStoreTest, IsEmptyWithoutAFile) {
  const TokenStore store(path());
  EXPECT_TRUE(store.empty());
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(TokenStoreTest, KnowsWhetherAnyTokenIsValid) {
  TokenStore store(path());
  EXPECT_FALSE(store.has_valid_token(kNow));
  TokenSpec login = spec("browser");
  login.kind = TokenKind::kBrowser;
  ASSERT_TRUE(store.create(login));
  EXPECT_FALSE(store.has_valid_token(kNow)) << "a login is no token";
  TokenSpec short_lived = spec("ci");
  short_lived.expires = kNow;
  ASSERT_TRUE(store.create(short_lived));
  EXPECT_FALSE(store.has_valid_token(kNow)) << "it has expired";
  ASSERT_TRUE(store.create(spec("forever")));
  EXPECT_TRUE(store.has_valid_token(kNow));
}

TEST_F(TokenStoreTest, KnowsTheOwnerOfASecret) {
  TokenStore store(path());
  const NewToken writer = store.create(spec("writer")).value();
  const NewToken reader = store.create(spec("reader", {Scope::kRead})).value();
  const Principal expected{
      .name = "reader", .credential_id = reader.token.id, .scopes = {Scope::kRead}, .projects = {}};
  EXPECT_EQ(owner_of(store, reader.secret), expected);
  EXPECT_TRUE(owner_of(store, writer.secret)->may(Scope::kAdmin));
}

TEST_F(TokenStoreTest, KnowsNoOwnerOfAnythingElse) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  for (const std::string& secret :
       {std::string(), std::string("oriel_"), made.secret + "x", made.token.sha256,
        made.secret.substr(0, made.secret.size() - 1)}) {
    EXPECT_EQ(owner_of(store, secret), std::nullopt) << secret;
  }
}

TEST_F(TokenStoreTest, MakesSecretsOf256RandomBits) {
  TokenStore store(path());
  std::set<std::string> secrets;
  for (const char* name : {"a", "b", "c", "d"}) {
    const NewToken made = store.create(spec(name)).value();
    EXPECT_THAT(made.secret, testing::MatchesRegex("oriel_[A-Za-z0-9_-]{43}"));
    EXPECT_TRUE(is_random_id(made.token.id));
    secrets.insert(made.secret);
  }
  EXPECT_EQ(secrets.size(), 4U);
}

TEST_F(TokenStoreTest, KeepsNoSecret) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  EXPECT_THAT(text(), HasSubstr(made.token.sha256));
  EXPECT_THAT(text(), Not(HasSubstr(made.secret)));
  EXPECT_THAT(text(), Not(HasSubstr(made.secret.substr(6))));
}

TEST_F(TokenStoreTest, RemembersItsTokens) {
  TokenStore first(path());
  const NewToken made = first.create(spec("a")).value();
  const TokenStore second(path());
  EXPECT_EQ(second.list(), std::vector{made.token});
  EXPECT_TRUE(owner_of(second, made.secret));
}

TEST_F(TokenStoreTest, RefusesATakenName) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  EXPECT_EQ(store.create(spec("a", {Scope::kRead})).error().kind, ErrorKind::kTokenExists);
  EXPECT_EQ(store.create(spec(made.token.id)).error().kind, ErrorKind::kTokenExists);
  EXPECT_EQ(store.list().size(), 1U);
}

TEST_F(TokenStoreTest, RefusesInvalidAndReservedNames) {
  TokenStore store(path());
  for (const char* name : {"", "a b", "a\n", "local", "rule", "timeout", "agent", "restart"}) {
    EXPECT_EQ(store.create(spec(name)).error().kind, ErrorKind::kInvalidTokenName) << name;
  }
}

TEST_F(TokenStoreTest, RevokesByNameOrId) {
  TokenStore store(path());
  const NewToken a = store.create(spec("a")).value();
  const NewToken b = store.create(spec("b")).value();
  EXPECT_EQ(store.revoke("a").value(), a.token);
  EXPECT_FALSE(owner_of(store, a.secret));
  EXPECT_TRUE(owner_of(store, b.secret));
  EXPECT_EQ(store.revoke(b.token.id).value(), b.token);
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(store.revoke("a").error().kind, ErrorKind::kUnknownToken);
}

TokenSpec login_of(std::string name, const Token& creator) {
  TokenSpec login = spec(std::move(name));
  login.kind = TokenKind::kBrowser;
  login.creator = creator.id;
  return login;
}

TEST_F(TokenStoreTest, ALoginExpiresWithItsCreatorAtTheLatest) {
  TokenStore store(path());
  const WallTime soon = wall_now() + std::chrono::hours(1);
  TokenSpec brief = spec("a");
  brief.expires = soon;
  const Token creator = store.create(std::move(brief)).value().token;
  TokenSpec longer = login_of("longer", creator);
  longer.expires = soon + std::chrono::hours(1);
  EXPECT_EQ(store.create(std::move(longer)).value().token.expires, soon);
  EXPECT_EQ(store.create(login_of("endless", creator)).value().token.expires, soon);
  TokenSpec shorter = login_of("shorter", creator);
  shorter.expires = soon - std::chrono::minutes(1);
  EXPECT_EQ(store.create(shorter).value().token.expires, shorter.expires);
}

TEST_F(TokenStoreTest, LoginsAreRevokedWithTheirCreator) {
  TokenStore store(path());
  const Token a = store.create(spec("a")).value().token;
  const Token b = store.create(spec("b")).value().token;
  const NewToken login = store.create(login_of("login", a)).value();
  store.create(login_of("login-of-login", login.token)).value();
  EXPECT_EQ(TokenStore(path()).list().size(), 4U);
  store.revoke("a").value();
  EXPECT_EQ(store.list(), std::vector{b});
  EXPECT_EQ(TokenStore(path()).list(), std::vector{b});
  EXPECT_FALSE(store.authenticate(TokenKind::kBrowser, login.secret, kNow));
  EXPECT_EQ(store.create(login_of("late", a)).error().kind, ErrorKind::kUnauthorized);
}

TEST_F(TokenStoreTest, ExpiredLoginsAreRemoved) {
  TokenStore store(path());
  TokenSpec old = spec("old");
  old.kind = TokenKind::kBrowser;
  old.expires = kNow;
  store.create(std::move(old)).value();
  const Token fresh = store.create(spec("fresh")).value().token;
  store.remove_expired_logins(kNow - std::chrono::seconds(1));
  EXPECT_EQ(store.list().size(), 2U);
  store.remove_expired_logins(kNow);
  EXPECT_EQ(TokenStore(path()).list(), std::vector{fresh});
}

TEST_F(TokenStoreTest, APrincipalIsValidWhileItsTokenExists) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  const Principal principal = owner_of(store, made.secret).value();
  EXPECT_TRUE(store.is_valid(principal, kNow));
  EXPECT_TRUE(store.is_valid(kLocal, kNow));
  store.revoke("a").value();
  EXPECT_FALSE(store.is_valid(principal, kNow));
}

TEST_F(TokenStoreTest, AnExpiredTokenHasNoOwner) {
  TokenStore store(path());
  TokenSpec brief = spec("a");
  brief.expires = kNow + std::chrono::seconds(1);
  const NewToken made = store.create(std::move(brief)).value();
  const Principal principal = owner_of(store, made.secret).value();
  const WallTime later = kNow + std::chrono::seconds(1);
  EXPECT_TRUE(store.is_valid(principal, kNow));
  EXPECT_FALSE(store.is_valid(principal, later));
  EXPECT_FALSE(store.authenticate(TokenKind::kBearer, made.secret, later));
}

TEST_F(TokenStoreTest, ABrowserLoginIsNoBearerToken) {
  TokenStore store(path());
  TokenSpec login = spec("phone");
  login.kind = TokenKind::kBrowser;
  const NewToken made = store.create(std::move(login)).value();
  EXPECT_FALSE(owner_of(store, made.secret));
  EXPECT_TRUE(store.authenticate(TokenKind::kBrowser, made.secret, kNow));
}

TEST_F(TokenStoreTest, ReloadsWhatAnotherProcessChanged) {
  TokenStore server(path());
  EXPECT_FALSE(server.reload());
  TokenStore command(path());
  const NewToken made = command.create(spec("a")).value();
  EXPECT_FALSE(owner_of(server, made.secret));
  EXPECT_TRUE(server.reload());
  EXPECT_TRUE(owner_of(server, made.secret));
  EXPECT_FALSE(server.reload()) << "nothing has changed since";
  command.revoke("a").value();
  EXPECT_TRUE(server.reload());
  EXPECT_TRUE(server.empty());
}

TEST_F(TokenStoreTest, AddsToWhatAnotherProcessWrote) {
  TokenStore one(path());
  TokenStore other(path());
  one.create(spec("a")).value();
  other.create(spec("b")).value();
  EXPECT_EQ(other.list().size(), 2U);
  EXPECT_EQ(other.create(spec("a")).error().kind, ErrorKind::kTokenExists);
}

TEST_F(TokenStoreTest, AMalformedFileAdmitsNobodyUntilItIsRepaired) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  const std::string good = text();
  std::ofstream(path()) << "{";
  EXPECT_THROW(store.reload(), std::runtime_error);
  EXPECT_FALSE(owner_of(store, made.secret));
  EXPECT_THROW(store.create(spec("b")), std::runtime_error)
      << "a malformed file is not overwritten";
  EXPECT_EQ(text(), "{");
  std::ofstream(path()) << good;
  EXPECT_TRUE(store.reload());
  EXPECT_TRUE(owner_of(store, made.secret));
}

TEST_F(TokenStoreTest, ALostFileAdmitsNobody) {
  TokenStore store(path());
  const NewToken made = store.create(spec("a")).value();
  fs::remove(path());
  EXPECT_TRUE(store.reload());
  EXPECT_FALSE(owner_of(store, made.secret));
}

TEST_F(TokenStoreTest, LosesNoTokenOfSimultaneousWriters) {
  constexpr int kWriters = 4;
  constexpr int kEach = 5;
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this, i] {
      TokenStore store(path());
      for (int j = 0; j < kEach; ++j) {
        store.create(spec(std::to_string(i) + "-" + std::to_string(j))).value();
      }
    });
  }
  for (std::thread& writer : writers)
    writer.join();
  EXPECT_EQ(TokenStore(path()).list().size(), kWriters * kEach);
}

TEST_F(TokenStoreTest, AnswersWhileItReloads) {
  TokenStore command(path());
  const NewToken kept = command.create(spec("kept")).value();
  TokenStore server(path());
  std::atomic<bool> done{false};
  std::thread asker([&] {
    while (!done)
      EXPECT_TRUE(owner_of(server, kept.secret));
  });
  for (int i = 0; i < 20; ++i) {
    command.create(spec("token-" + std::to_string(i))).value();
    EXPECT_TRUE(server.reload());
  }
  done = true;
  asker.join();
  EXPECT_EQ(server.list().size(), 21U);
}

}  // namespace
}  // namespace oriel
