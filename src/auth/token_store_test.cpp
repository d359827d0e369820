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

const http::Principal kLocal{.name = "local", .token_id = "", .may_write = true};

TEST_F(TokenStoreTest, IsEmptyWithoutAFile) {
  const TokenStore store(path());
  EXPECT_TRUE(store.empty());
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(TokenStoreTest, KnowsTheOwnerOfASecret) {
  TokenStore store(path());
  const NewToken writer = store.create("writer", true).value();
  const NewToken reader = store.create("reader", false).value();
  const http::Principal expected{.name = "reader", .token_id = reader.token.id, .may_write = false};
  EXPECT_EQ(store.authenticate(reader.secret), expected);
  EXPECT_TRUE(store.authenticate(writer.secret)->may_write);
}

TEST_F(TokenStoreTest, KnowsNoOwnerOfAnythingElse) {
  TokenStore store(path());
  const NewToken made = store.create("a", true).value();
  for (const std::string& secret :
       {std::string(), std::string("oriel_"), made.secret + "x", made.token.sha256,
        made.secret.substr(0, made.secret.size() - 1)}) {
    EXPECT_EQ(store.authenticate(secret), std::nullopt) << secret;
  }
}

TEST_F(TokenStoreTest, MakesSecretsOf256RandomBits) {
  TokenStore store(path());
  std::set<std::string> secrets;
  for (const char* name : {"a", "b", "c", "d"}) {
    const NewToken made = store.create(name, true).value();
    EXPECT_THAT(made.secret, testing::MatchesRegex("oriel_[A-Za-z0-9_-]{43}"));
    EXPECT_TRUE(is_random_id(made.token.id));
    secrets.insert(made.secret);
  }
  EXPECT_EQ(secrets.size(), 4U);
}

TEST_F(TokenStoreTest, KeepsNoSecret) {
  TokenStore store(path());
  const NewToken made = store.create("a", true).value();
  EXPECT_THAT(text(), HasSubstr(made.token.sha256));
  EXPECT_THAT(text(), Not(HasSubstr(made.secret)));
  EXPECT_THAT(text(), Not(HasSubstr(made.secret.substr(6))));
}

TEST_F(TokenStoreTest, RemembersItsTokens) {
  TokenStore first(path());
  const NewToken made = first.create("a", true).value();
  const TokenStore second(path());
  EXPECT_EQ(second.list(), std::vector{made.token});
  EXPECT_TRUE(second.authenticate(made.secret));
}

TEST_F(TokenStoreTest, RefusesATakenName) {
  TokenStore store(path());
  const NewToken made = store.create("a", true).value();
  EXPECT_EQ(store.create("a", false).error().kind, ErrorKind::kTokenExists);
  EXPECT_EQ(store.create(made.token.id, false).error().kind, ErrorKind::kTokenExists);
  EXPECT_EQ(store.list().size(), 1U);
}

TEST_F(TokenStoreTest, RefusesWhatIsNoName) {
  TokenStore store(path());
  for (const char* name : {"", "a b", "a\n", "local"}) {
    EXPECT_EQ(store.create(name, true).error().kind, ErrorKind::kInvalidTokenName) << name;
  }
}

TEST_F(TokenStoreTest, RevokesByNameOrId) {
  TokenStore store(path());
  const NewToken a = store.create("a", true).value();
  const NewToken b = store.create("b", true).value();
  EXPECT_EQ(store.revoke("a").value(), a.token);
  EXPECT_FALSE(store.authenticate(a.secret));
  EXPECT_TRUE(store.authenticate(b.secret));
  EXPECT_EQ(store.revoke(b.token.id).value(), b.token);
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(store.revoke("a").error().kind, ErrorKind::kUnknownToken);
}

TEST_F(TokenStoreTest, HoldsAPrincipalValidWhileItsTokenExists) {
  TokenStore store(path());
  EXPECT_TRUE(store.is_valid(kLocal));
  const NewToken made = store.create("a", true).value();
  const http::Principal principal = store.authenticate(made.secret).value();
  EXPECT_TRUE(store.is_valid(principal));
  EXPECT_FALSE(store.is_valid(kLocal)) << "there is a token now";
  store.revoke("a").value();
  EXPECT_FALSE(store.is_valid(principal));
}

TEST_F(TokenStoreTest, ReloadsWhatAnotherProcessChanged) {
  TokenStore server(path());
  EXPECT_FALSE(server.reload());
  TokenStore command(path());
  const NewToken made = command.create("a", true).value();
  EXPECT_FALSE(server.authenticate(made.secret));
  EXPECT_TRUE(server.reload());
  EXPECT_TRUE(server.authenticate(made.secret));
  EXPECT_FALSE(server.reload()) << "nothing has changed since";
  command.revoke("a").value();
  EXPECT_TRUE(server.reload());
  EXPECT_TRUE(server.empty());
}

TEST_F(TokenStoreTest, AddsToWhatAnotherProcessWrote) {
  TokenStore one(path());
  TokenStore other(path());
  one.create("a", true).value();
  other.create("b", true).value();
  EXPECT_EQ(other.list().size(), 2U);
  EXPECT_EQ(other.create("a", true).error().kind, ErrorKind::kTokenExists);
}

TEST_F(TokenStoreTest, KeepsWhatItKnewWhenTheFileIsMalformed) {
  TokenStore store(path());
  const NewToken made = store.create("a", true).value();
  std::ofstream(path()) << "{";
  EXPECT_THROW(store.reload(), std::runtime_error);
  EXPECT_TRUE(store.authenticate(made.secret));
  EXPECT_THROW(store.create("b", true), std::runtime_error)
      << "a malformed file is not overwritten";
  EXPECT_EQ(text(), "{");
}

TEST_F(TokenStoreTest, LosesNoTokenOfSimultaneousWriters) {
  constexpr int kWriters = 4;
  constexpr int kEach = 5;
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this, i] {
      TokenStore store(path());
      for (int j = 0; j < kEach; ++j) {
        store.create(std::to_string(i) + "-" + std::to_string(j), true).value();
      }
    });
  }
  for (std::thread& writer : writers)
    writer.join();
  EXPECT_EQ(TokenStore(path()).list().size(), kWriters * kEach);
}

TEST_F(TokenStoreTest, AnswersWhileItReloads) {
  TokenStore command(path());
  const NewToken kept = command.create("kept", true).value();
  TokenStore server(path());
  std::atomic<bool> done{false};
  std::thread asker([&] {
    while (!done)
      EXPECT_TRUE(server.authenticate(kept.secret));
  });
  for (int i = 0; i < 20; ++i) {
    command.create("token-" + std::to_string(i), true).value();
    EXPECT_TRUE(server.reload());
  }
  done = true;
  asker.join();
  EXPECT_EQ(server.list().size(), 21U);
}

}  // namespace
}  // namespace oriel
