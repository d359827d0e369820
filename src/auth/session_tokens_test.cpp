#include "auth/session_tokens.h"

#include "auth/token_store.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

constexpr WallTime kAnyTime{std::chrono::hours(1)};

TEST(SessionTokens, AllowToReadOneSessionAndNothingElse) {
  SessionTokens tokens;
  const std::string secret = tokens.issue("ses_1");
  EXPECT_THAT(secret, StartsWith("oriel_"));
  const Principal agent = tokens.find(secret).value();
  EXPECT_EQ(agent.session_id, "ses_1");
  EXPECT_THAT(agent.scopes.list(), ElementsAre(Scope::kRead));
  EXPECT_NE(agent.credential_id, "") << "only the operator has none";
}

TEST(SessionTokens, OfTwoSessionsDiffer) {
  SessionTokens tokens;
  const std::string first = tokens.issue("ses_1");
  const std::string second = tokens.issue("ses_2");
  EXPECT_EQ(tokens.find(first)->session_id, "ses_1");
  EXPECT_EQ(tokens.find(second)->session_id, "ses_2");
  EXPECT_FALSE(tokens.find(""));
  EXPECT_FALSE(tokens.find("oriel_unknown"));
}

TEST(SessionTokens, AreWorthlessAfterTheirAgentHasEnded) {
  SessionTokens tokens;
  const std::string first = tokens.issue("ses_1");
  const std::string second = tokens.issue("ses_2");
  const Principal agent = tokens.find(first).value();
  EXPECT_TRUE(tokens.is_valid(agent));
  tokens.revoke("ses_1");
  tokens.revoke("ses_3");
  EXPECT_FALSE(tokens.find(first));
  EXPECT_FALSE(tokens.is_valid(agent));
  EXPECT_TRUE(tokens.find(second));
}

TEST(SessionTokens, AreReplacedByThoseOfTheNextAgent) {
  SessionTokens tokens;
  const std::string before = tokens.issue("ses_1");
  const Principal agent = tokens.find(before).value();
  const std::string after = tokens.issue("ses_1");
  EXPECT_FALSE(tokens.find(before));
  EXPECT_FALSE(tokens.is_valid(agent));
  EXPECT_TRUE(tokens.is_valid(tokens.find(after).value()));
}

TEST(SessionTokens, AreBearerTokensOfTheStoreAndNeverInItsFile) {
  const TempDirectory directory;
  TokenStore store(directory / "tokens.json");
  const std::string secret = store.session_tokens().issue("ses_1");
  const Principal agent = store.authenticate(TokenKind::kBearer, secret, kAnyTime).value();
  EXPECT_EQ(agent.session_id, "ses_1");
  EXPECT_TRUE(store.is_valid(agent, kAnyTime));
  EXPECT_FALSE(store.authenticate(TokenKind::kBrowser, secret, kAnyTime));
  EXPECT_TRUE(store.empty());
  EXPECT_FALSE(std::filesystem::exists(directory / "tokens.json"));
  store.session_tokens().revoke("ses_1");
  EXPECT_FALSE(store.authenticate(TokenKind::kBearer, secret, kAnyTime));
  EXPECT_FALSE(store.is_valid(agent, kAnyTime));
}

}  // namespace
}  // namespace oriel
