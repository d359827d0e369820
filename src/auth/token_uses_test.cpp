#include "auth/token_uses.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace oriel {
namespace {

using namespace std::chrono_literals;

class TokenUsesTest : public testing::Test {
 protected:
  static Token known(std::string id) {
    Token token;
    token.id = std::move(id);
    return token;
  }

  // As the next process sees it.
  std::optional<WallTime> stored(const std::string& id) const { return TokenUses(file_).last(id); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }

  TempDirectory directory_;
  std::filesystem::path file_ = directory_ / kTokenUseFile;
  std::vector<Token> tokens_ = {known("a"), known("b")};
  WallTime noon_{12h};
  TokenUses uses_{file_};
};

TEST_F(TokenUsesTest, ATokenWithoutAUseWasNeverUsed) {
  EXPECT_EQ(uses_.last("a"), std::nullopt);
}

TEST_F(TokenUsesTest, TheLastUseIsKnownAtOnceAndStoredLater) {
  uses_.record("a", noon_);
  uses_.record("a", noon_ + 1s);
  EXPECT_EQ(uses_.last("a"), noon_ + 1s);
  EXPECT_EQ(stored("a"), std::nullopt);
  ASSERT_TRUE(uses_.save(tokens_));
  EXPECT_EQ(stored("a"), noon_ + 1s);
  EXPECT_EQ(stored("b"), std::nullopt);
}

TEST_F(TokenUsesTest, ARestartKeepsEarlierUses) {
  uses_.record("a", noon_);
  ASSERT_TRUE(uses_.save(tokens_));
  TokenUses next(file_);
  next.record("b", noon_ + 1h);
  ASSERT_TRUE(next.save(tokens_));
  EXPECT_EQ(stored("a"), noon_);
  EXPECT_EQ(stored("b"), noon_ + 1h);
}

TEST_F(TokenUsesTest, AreStoredAtMostOnceAMinute) {
  const SteadyTime start{1h};
  uses_.record("a", noon_);
  ASSERT_TRUE(uses_.save_if_due(tokens_, start));
  EXPECT_EQ(stored("a"), noon_);
  uses_.record("a", noon_ + 1s);
  ASSERT_TRUE(uses_.save_if_due(tokens_, start + 59s));
  EXPECT_EQ(stored("a"), noon_);
  ASSERT_TRUE(uses_.save_if_due(tokens_, start + 60s));
  EXPECT_EQ(stored("a"), noon_ + 1s);
}

TEST_F(TokenUsesTest, WithoutNewsTheFileIsLeftAlone) {
  ASSERT_TRUE(uses_.save(tokens_));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(TokenUsesTest, ARevokedTokenIsForgotten) {
  uses_.record("a", noon_);
  uses_.record("gone", noon_);
  ASSERT_TRUE(uses_.save(tokens_));
  EXPECT_EQ(stored("gone"), std::nullopt);
  EXPECT_EQ(uses_.last("gone"), std::nullopt);
}

TEST_F(TokenUsesTest, AnUnreadableTokenFileForgetsNothing) {
  uses_.record("a", noon_);
  ASSERT_TRUE(uses_.save({}));
  EXPECT_EQ(stored("a"), noon_);
}

TEST_F(TokenUsesTest, ADamagedFileMeansNever) {
  for (const char* text :
       {"", "{", "[]", "{\"version\":2,\"used\":{}}", "{\"version\":1,\"used\":[]}",
        "{\"version\":1,\"used\":{\"a\":1,\"b\":\"soon\"}}"}) {
    write(text);
    EXPECT_EQ(stored("a"), std::nullopt) << text;
    EXPECT_EQ(stored("b"), std::nullopt) << text;
  }
}

TEST_F(TokenUsesTest, OnlyTheOwnerCanReadThem) {
  uses_.record("a", noon_);
  ASSERT_TRUE(uses_.save(tokens_));

  struct stat status {};

  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(TokenUsesTest, WhatCouldNotBeStoredIsStoredWithTheNextOne) {
  TokenUses homeless(directory_ / "missing" / kTokenUseFile);
  homeless.record("a", noon_);
  EXPECT_FALSE(homeless.save(tokens_));
  std::filesystem::create_directory(directory_ / "missing");
  EXPECT_TRUE(homeless.save(tokens_));
  EXPECT_EQ(TokenUses(directory_ / "missing" / kTokenUseFile).last("a"), noon_);
}

TEST(TokenUses, AreBounded) {
  const TempDirectory directory;
  TokenUses uses(directory.path() / kTokenUseFile);
  WallTime now{std::chrono::hours(1)};
  for (std::size_t i = 0; i <= TokenUses::kMaxUses; ++i) {
    now += std::chrono::seconds(1);
    uses.record(std::to_string(i), now);
  }
  EXPECT_EQ(uses.last("0"), std::nullopt) << "the oldest";
  EXPECT_TRUE(uses.last("1"));
  EXPECT_EQ(uses.last(std::to_string(TokenUses::kMaxUses)), now);
}

}  // namespace
}  // namespace oriel
