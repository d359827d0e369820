#include "base/principal.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

TEST(Principal, HasTheScopesOfItsCredentialOnly) {
  Principal reader;
  reader.scopes = {Scope::kRead};
  EXPECT_TRUE(reader.may(Scope::kRead));
  EXPECT_FALSE(reader.may(Scope::kStart));
  EXPECT_THAT(ScopeSet({Scope::kAdmin, Scope::kRead}).list(),
              ElementsAre(Scope::kRead, Scope::kAdmin));
}

TEST(Principal, ALimitToProjectsExcludesWhatBelongsToNone) {
  Principal limited;
  limited.projects = {"web"};
  EXPECT_TRUE(limited.sees("web"));
  EXPECT_FALSE(limited.sees("api"));
  EXPECT_FALSE(limited.sees(""));
  EXPECT_TRUE(Principal().sees(""));
}

TEST(Principal, ALimitToASessionExcludesEveryOtherAndWhatBelongsToNone) {
  Principal limited;
  limited.session_id = "ses_1";
  EXPECT_TRUE(limited.sees("web", "ses_1"));
  EXPECT_FALSE(limited.sees("web", "ses_2"));
  EXPECT_FALSE(limited.sees("web", ""));
  EXPECT_TRUE(Principal().sees("web", ""));
  limited.projects = {"api"};
  EXPECT_FALSE(limited.sees("web", "ses_1"));
}

TEST(Principal, IsAnotherOneWithAnotherLimit) {
  Principal limited;
  limited.session_id = "ses_1";
  EXPECT_FALSE(limited == Principal());
  Principal elsewhere = limited;
  elsewhere.address = "192.0.2.1";
  EXPECT_TRUE(limited == elsewhere);
}

TEST(Scope, NamesAreReadBack) {
  for (const Scope scope : ScopeSet::all().list())
    EXPECT_EQ(parse_scope(name_of(scope)), scope);
  EXPECT_EQ(parse_scope("write"), std::nullopt);
}

}  // namespace
}  // namespace oriel
