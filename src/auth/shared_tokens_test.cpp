#include "auth/shared_tokens.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr WallTime kMergeTime{std::chrono::hours(10)};
constexpr WallTime kEarlier{std::chrono::hours(9)};
constexpr WallTime kLater{std::chrono::hours(11)};

// Its id is 16 times this character.
Token token(char id, std::string name, std::string creator = {}) {
  return {.id = std::string(16, id),
          .name = std::move(name),
          .kind = TokenKind::kBearer,
          .scopes = {Scope::kRead},
          .projects = {},
          .sha256 = std::string(64, id),
          .created = kEarlier,
          .expires = {},
          .creator = std::move(creator)};
}

const Token kA = token('a', "laptop");
const Token kB = token('b', "phone");

SharedTokens shared(const std::vector<Token>& valid, const std::vector<Token>& revoked = {}) {
  SharedTokens result;
  for (const Token& each : valid)
    result.take(each.id, to_document(each));
  for (const Token& each : revoked)
    result.take(each.id, to_document(Revocation{.expires = each.expires}));
  return result;
}

// A file that was the same as the shared tokens.
TokenList followed(const std::vector<Token>& tokens) {
  TokenList list{.tokens = tokens};
  for (const Token& each : tokens)
    list.shared.insert(each.id);
  return list;
}

std::vector<std::string> names(const std::vector<Token>& tokens) {
  std::vector<std::string> result;
  for (const Token& each : tokens)
    result.push_back(each.name);
  return result;
}

TEST(SharedTokensTest, DocumentsGiveBackTokensAndRevocations) {
  Token short_lived = kB;
  short_lived.expires = kLater;
  const SharedTokens read = shared({kA}, {short_lived});
  EXPECT_EQ(read.valid.at(kA.id), kA);
  EXPECT_EQ(read.revoked.at(kB.id), Revocation{.expires = kLater});
}

TEST(R_AUTH_2_SharedTokens, ADocumentThatCannotBeReadRevokesItsToken) {
  for (const std::string& text : {std::string("{"), std::string("7"), to_document(kB)}) {
    SharedTokens read = shared({kA});
    read.take(kA.id, text);
    EXPECT_TRUE(read.valid.empty()) << text;
    EXPECT_TRUE(read.revoked.contains(kA.id)) << text;
  }
}

TEST(SharedTokensTest, ADocumentThatIsGoneLeavesNothing) {
  SharedTokens read = shared({kA}, {kB});
  read.take(kA.id, "");
  read.take(kB.id, "");
  EXPECT_TRUE(read.valid.empty());
  EXPECT_TRUE(read.revoked.empty());
}

TEST(MergeTokens, AFirstFileIsShared) {
  const TokenMerge merge = merge_tokens({.tokens = {kA, kB}}, {}, kMergeTime);
  EXPECT_THAT(merge.created, ElementsAre(kA, kB));
  EXPECT_THAT(merge.list.tokens, ElementsAre(kA, kB)) << "they are valid here meanwhile";
  EXPECT_THAT(merge.revoked, IsEmpty());
}

TEST(R_AUTH_2_MergeTokens, WhatIsRevokedWhileItIsBeingSharedIsRevoked) {
  TokenList file = merge_tokens({.tokens = {kA}}, {}, kMergeTime).list;
  file.tokens = {};
  file = merge_tokens(file, {}, kMergeTime).list;
  const TokenMerge merge = merge_tokens(file, shared({kA}), kMergeTime);
  EXPECT_THAT(merge.revoked, ElementsAre(kA.id));
  EXPECT_THAT(merge.list.tokens, IsEmpty());
  EXPECT_THAT(merge_tokens(merge.list, shared({}, {kA}), kMergeTime).list.shared, IsEmpty());
}

TEST(MergeTokens, WhatOthersCreatedIsAdded) {
  const TokenMerge merge = merge_tokens(followed({kA}), shared({kA, kB}), kMergeTime);
  EXPECT_EQ(merge.list, followed({kA, kB}));
  EXPECT_THAT(merge.created, IsEmpty());
  EXPECT_THAT(merge.revoked, IsEmpty());
}

TEST(MergeTokens, AFileThatIsTheSameStaysTheSame) {
  const TokenMerge merge = merge_tokens(followed({kB, kA}), shared({kA, kB}), kMergeTime);
  EXPECT_EQ(merge.list, followed({kB, kA})) << "in its order";
}

TEST(MergeTokens, ALostFileGetsAll) {
  const TokenMerge merge = merge_tokens({}, shared({kA, kB}), kMergeTime);
  EXPECT_EQ(merge.list, followed({kA, kB}));
  EXPECT_THAT(merge.revoked, IsEmpty());
}

TEST(R_AUTH_2_MergeTokens, WhatTheFileHasLostIsRevoked) {
  TokenList file = followed({kA, kB});
  file.tokens = {kB};
  const TokenMerge merge = merge_tokens(file, shared({kA, kB}), kMergeTime);
  EXPECT_THAT(merge.revoked, ElementsAre(kA.id));
  EXPECT_THAT(merge.list.tokens, ElementsAre(kB));
  EXPECT_TRUE(merge.list.shared.contains(kA.id)) << "until the others know, too";
  const TokenMerge after = merge_tokens(merge.list, shared({kB}, {kA}), kMergeTime);
  EXPECT_EQ(after.list, followed({kB}));
  EXPECT_THAT(after.revoked, IsEmpty());
}

TEST(R_AUTH_2_MergeTokens, ARevokedTokenDoesNotComeBackByAStaleFile) {
  for (const TokenList& stale : {followed({kA, kB}), TokenList{.tokens = {kA, kB}}}) {
    const TokenMerge merge = merge_tokens(stale, shared({kB}, {kA}), kMergeTime);
    EXPECT_THAT(merge.list.tokens, ElementsAre(kB));
    EXPECT_THAT(merge.created, IsEmpty());
  }
}

TEST(R_AUTH_2_MergeTokens, WhatARevokedTokenCreatedIsRevokedWithIt) {
  const Token login = token('c', "browser", kA.id);
  const Token second = token('d', "second", login.id);
  const TokenMerge merge = merge_tokens(followed({kA, login, second, kB}),
                                        shared({login, second, kB}, {kA}), kMergeTime);
  EXPECT_THAT(merge.list.tokens, ElementsAre(kB));
  EXPECT_THAT(merge.revoked, UnorderedElementsAre(login.id, second.id));
  const Token unknown = token('e', "new", kA.id);
  EXPECT_THAT(merge_tokens({.tokens = {unknown}}, shared({}, {kA}), kMergeTime).created, IsEmpty());
}

TEST(MergeTokens, OfTwoTokensWithOneNameTheSharedOneKeepsIt) {
  const Token mine = token('c', "laptop");
  const TokenMerge merge = merge_tokens({.tokens = {mine}}, shared({kA}), kMergeTime);
  EXPECT_THAT(names(merge.list.tokens), ElementsAre("laptop", "laptop-cccccc"));
  EXPECT_EQ(merge.list.tokens[1].sha256, mine.sha256) << "both secrets are valid";
  ASSERT_THAT(merge.renamed, testing::SizeIs(1));
  EXPECT_EQ(merge.renamed[0].from, "laptop");
  EXPECT_EQ(merge.renamed[0].to, "laptop-cccccc");
  EXPECT_THAT(names(merge.created), ElementsAre("laptop-cccccc"));
  EXPECT_THAT(merge_tokens(merge.list, shared({kA}), kMergeTime).renamed, IsEmpty()) << "once";
}

TEST(MergeTokens, ANewNameIsNotTooLong) {
  const std::string name(128, 'x');
  const TokenMerge merge =
      merge_tokens({.tokens = {token('c', name)}}, shared({token('a', name)}), kMergeTime);
  EXPECT_EQ(merge.renamed.at(0).to, std::string(121, 'x') + "-cccccc");
}

TEST(MergeTokens, TheNameOfARevokedTokenIsFree) {
  TokenList file = followed({kA});
  file.tokens = {token('c', "laptop")};
  const TokenMerge merge = merge_tokens(file, shared({kA}), kMergeTime);
  EXPECT_THAT(merge.revoked, ElementsAre(kA.id));
  EXPECT_THAT(names(merge.created), ElementsAre("laptop"));
}

TEST(MergeTokens, ExpiredTokensAreSharedOnceAndExpiredLoginsNever) {
  Token old = kA;
  old.expires = kEarlier;
  EXPECT_THAT(merge_tokens({.tokens = {old}}, {}, kMergeTime).created, ElementsAre(old))
      << "people see that it has expired";
  EXPECT_THAT(merge_tokens(followed({old}), {}, kMergeTime).list.tokens, IsEmpty())
      << "its revocation has been forgotten";
  Token login = old;
  login.kind = TokenKind::kBrowser;
  EXPECT_THAT(merge_tokens({.tokens = {login}}, {}, kMergeTime).list.tokens, IsEmpty());
}

TEST(MergeTokens, TokensOfAnotherClusterAreShared) {
  EXPECT_THAT(merge_tokens(followed({kA}), shared({kB}), kMergeTime).created, ElementsAre(kA));
}

}  // namespace
}  // namespace oriel
