#include "cli/commands/token_command.h"

#include "auth/token_store.h"
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

  int run(TokenAction action, std::string name = {}, bool is_read_only = false) {
    out_.str("");
    err_.str("");
    return token_command({.action = action,
                          .name = std::move(name),
                          .is_read_only = is_read_only,
                          .data_dir = data_dir_},
                         out_, err_);
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
  const auto principal = store.authenticate(secret);
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->name, "ci");
  EXPECT_TRUE(principal->may_write);
}

TEST_F(TokenCommand, CreateExplainsItsUseWithoutRepeatingIt) {
  run(TokenAction::kCreate, "ci");
  const std::string secret = out_.str().substr(0, out_.str().size() - 1);
  EXPECT_NE(err_.str().find("ORIEL_TOKEN=SECRET oriel watch"), std::string::npos);
  EXPECT_EQ(err_.str().find(secret), std::string::npos);
}

TEST_F(TokenCommand, TheFirstTokenIsAnnounced) {
  run(TokenAction::kCreate, "one");
  EXPECT_NE(err_.str().find("From now on"), std::string::npos);
  run(TokenAction::kCreate, "two");
  EXPECT_EQ(err_.str().find("From now on"), std::string::npos);
}

TEST_F(TokenCommand, AReadOnlyTokenMayNotWrite) {
  run(TokenAction::kCreate, "viewer", true);
  TokenStore store(data_dir_ / "tokens.json");
  EXPECT_FALSE(store.list().at(0).may_write);
}

TEST_F(TokenCommand, AWrongNameIsAUsageError) {
  EXPECT_EQ(run(TokenAction::kCreate, "a b"), 2);
  EXPECT_TRUE(err_.str().starts_with("oriel: \"a b\" cannot be a token's name\n")) << err_.str();
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
  EXPECT_NE(out_.str().find("  ci    read-write  20"), std::string::npos) << out_.str();
  EXPECT_EQ(out_.str().find(secret), std::string::npos);
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
