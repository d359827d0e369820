#include "server/cluster/link_calls.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(LinkCallsTest, AGrantArrivesAsItWasSent) {
  const Principal grant{.name = "phone",
                        .credential_id = "0123456789abcdef",
                        .scopes = {Scope::kRead, Scope::kAnswer},
                        .projects = {"shop"}};
  EXPECT_EQ(parse_grant(to_json(grant)), grant);
  EXPECT_EQ(parse_grant(to_json(Principal{})), Principal{}) << "of the operator";
}

TEST(LinkCallsTest, AnythingElseGrantsNothing) {
  for (const char* const text :
       {"", "null", "{}", R"({"name":"a","credential_id":"","scopes":["all"],"projects":[]})",
        R"({"name":"a","credential_id":"","scopes":["read"],"projects":[7]})",
        R"({"name":"a","credential_id":"","scopes":["read"]})"}) {
    EXPECT_FALSE(parse_grant(text)) << text;
  }
}

}  // namespace
}  // namespace oriel
