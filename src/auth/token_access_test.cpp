#include "auth/token_access.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

class TokenAccessTest : public testing::Test {
 protected:
  std::string new_secret(bool may_write) {
    return tokens_.create(may_write ? "writer" : "reader", may_write).value().secret;
  }

  static http::Route route(http::Access access, bool takes_query_token = false) {
    http::Route made;
    made.access = access;
    made.takes_query_token = takes_query_token;
    return made;
  }

  static http::Request with_bearer(const std::string& secret) {
    http::Request request;
    request.headers = {{"authorization", "Bearer " + secret}};
    return request;
  }

  TempDirectory directory_;
  TokenStore tokens_{directory_.path() / "tokens.json"};
  TokenAccess loopback_{tokens_, "", true};
  TokenAccess network_{tokens_, "", false};
};

TEST_F(TokenAccessTest, LoopbackNeedsNoTokenWhileNoneExists) {
  http::Request request;
  EXPECT_FALSE(loopback_.authorize(route(http::Access::kWrite), request));
  EXPECT_EQ(request.principal.name, "local");
  EXPECT_TRUE(request.principal.may_write);
}

TEST_F(TokenAccessTest, LoopbackNeedsATokenOnceOneExists) {
  new_secret(true);
  http::Request request;
  const auto refused = loopback_.authorize(route(http::Access::kRead), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
}

TEST_F(TokenAccessTest, TheNetworkAlwaysNeedsAToken) {
  http::Request request;
  const auto refused = network_.authorize(route(http::Access::kRead), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
}

TEST_F(TokenAccessTest, AnOpenRouteNeedsNoToken) {
  http::Request request;
  EXPECT_FALSE(network_.authorize(route(http::Access::kOpen), request));
}

TEST_F(TokenAccessTest, ABearerTokenNamesThePrincipal) {
  http::Request request = with_bearer(new_secret(true));
  EXPECT_FALSE(network_.authorize(route(http::Access::kWrite), request));
  EXPECT_EQ(request.principal.name, "writer");
}

TEST_F(TokenAccessTest, ATokenThatMayOnlyReadCannotWrite) {
  http::Request request = with_bearer(new_secret(false));
  EXPECT_FALSE(network_.authorize(route(http::Access::kRead), request));
  const auto refused = network_.authorize(route(http::Access::kWrite), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 403);
}

TEST_F(TokenAccessTest, AQueryTokenIsAcceptedOnlyWhereTheRouteAllowsItAndIsRemoved) {
  const std::string secret = new_secret(true);
  http::Request request;
  request.query = {{"types", "a"}, {"access_token", secret}};
  EXPECT_TRUE(network_.authorize(route(http::Access::kRead), request));
  EXPECT_FALSE(network_.authorize(route(http::Access::kRead, true), request));
  ASSERT_EQ(request.query.size(), 1U);
  EXPECT_EQ(request.query[0].first, "types");
}

TEST_F(TokenAccessTest, AForeignHostIsForbiddenAndAMissingOneIsABadRequest) {
  http::Request request;
  ASSERT_TRUE(loopback_.check_origin(request));
  EXPECT_EQ(loopback_.check_origin(request)->status, 400);
  request.headers = {{"host", "evil.example"}};
  ASSERT_TRUE(loopback_.check_origin(request));
  EXPECT_EQ(loopback_.check_origin(request)->status, 403);
  request.headers = {{"host", "localhost:7433"}};
  EXPECT_FALSE(loopback_.check_origin(request));
}

}  // namespace
}  // namespace oriel
