#include "cli/commands/token_command.h"

#include "auth/token_store.h"
#include "auth/token_uses.h"
#include "base/id.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oriel {
namespace {

// With a data directory that does not exist yet.
class TokenCommand : public testing::Test {
 protected:
  TokenCommand() : data_dir_(testing::TempDir() + "oriel-" + random_id()) {}

  ~TokenCommand() override { std::filesystem::remove_all(data_dir_); }

  int run(TokenAction action, std::string name = {}, ScopeSet scopes = {Scope::kRead}) {
    out_.str("");
    err_.str("");
    TokenOptions options;
    options.action = action;
    options.name = std::move(name);
    options.scopes = scopes;
    options.projects = {"web"};
    options.expires_in = std::chrono::hours(1);
    options.data_dir = data_dir_;
    return token_command(options, out_, err_);
  }

  std::filesystem::path data_dir_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(TokenCommand, CreatePrintsOnlyTheSecret) {
  EXPECT_EQ(run(TokenAction::kCreate, "ci"), 0);
  std::string secret = out_.str();
  ASSERT_TRUE(secret.ends_with('\n'));
  secret.pop_back();
  TokenStore store(data_dir_ / "tokens.json");
  const auto principal = store.authenticate(TokenKind::kBearer, secret, wall_now());
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->name, "ci");
  EXPECT_EQ(principal->scopes, ScopeSet({Scope::kRead}));
  EXPECT_EQ(principal->projects, std::vector<std::string>{"web"});
  EXPECT_FALSE(store.authenticate(TokenKind::kBearer, secret, wall_now() + std::chrono::hours(2)));
}

TEST_F(TokenCommand, CreateExplainsItsUseWithoutRepeatingIt) {
  run(TokenAction::kCreate, "ci");
  const std::string secret = out_.str().substr(0, out_.str().size() - 1);
  EXPECT_NE(err_.str().find("ORIEL_TOKEN=SECRET oriel watch"), std::string::npos);
  EXPECT_EQ(err_.str().find(secret), std::string::npos);
}

TEST_F(TokenCommand, AWrongNameIsAUsageError) {
  EXPECT_EQ(run(TokenAction::kCreate, "a b"), 2);
  EXPECT_TRUE(err_.str().starts_with("oriel: \"a b\" is not a valid token name\n")) << err_.str();
}

TEST_F(TokenCommand, ANameIsUnique) {
  EXPECT_EQ(run(TokenAction::kCreate, "ci"), 0);
  EXPECT_EQ(run(TokenAction::kCreate, "ci"), 1);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(TokenCommand, ASecretThatCannotBeWrittenIsRevoked) {
  out_.setstate(std::ios::badbit);
  EXPECT_EQ(run(TokenAction::kCreate, "ci"), 1);
  TokenStore store(data_dir_ / "tokens.json");
  EXPECT_TRUE(store.empty());
}

TEST_F(TokenCommand, ListShowsNamesButNoSecrets) {
  run(TokenAction::kCreate, "ci");
  const std::string secret = out_.str().substr(0, out_.str().size() - 1);
  EXPECT_EQ(run(TokenAction::kList), 0);
  EXPECT_NE(out_.str().find("  ci    token  read    web       20"), std::string::npos)
      << out_.str();
  EXPECT_EQ(out_.str().find(secret), std::string::npos);
}

TEST_F(TokenCommand, ListShowsWhenATokenWasLastUsed) {
  run(TokenAction::kCreate, "ci");
  EXPECT_EQ(run(TokenAction::kList), 0);
  EXPECT_NE(out_.str().find("LAST USED\n"), std::string::npos) << out_.str();
  EXPECT_TRUE(out_.str().ends_with("Z  never\n")) << out_.str();

  const TokenStore store(data_dir_ / "tokens.json");
  TokenUses uses(data_dir_ / kTokenUseFile);
  const WallTime used = parse_time("2026-11-15T21:19:27.042Z").value();
  uses.record(store.list().front().id, used);
  ASSERT_TRUE(uses.save(store.list()));
  EXPECT_EQ(run(TokenAction::kList), 0);
  EXPECT_TRUE(out_.str().ends_with("Z  2026-11-15T21:19:27.042Z\n")) << out_.str();
}

TEST_F(TokenCommand, AnEmptyListIsExplained) {
  EXPECT_EQ(run(TokenAction::kList), 0);
  EXPECT_EQ(out_.str(), "");
  EXPECT_NE(err_.str().find("There are no tokens"), std::string::npos);
}

TEST_F(TokenCommand, RevokeEndsAToken) {
  run(TokenAction::kCreate, "ci");
  EXPECT_EQ(run(TokenAction::kRevoke, "ci"), 0);
  EXPECT_TRUE(out_.str().starts_with("revoked ci ("));
  TokenStore store(data_dir_ / "tokens.json");
  EXPECT_TRUE(store.empty());
}

TEST_F(TokenCommand, RevokingAnUnknownTokenIsAnError) {
  EXPECT_EQ(run(TokenAction::kRevoke, "ghost"), 1);
  EXPECT_TRUE(err_.str().starts_with("oriel: there is no token \"ghost\"")) << err_.str();
}

}  // namespace
}  // namespace oriel
