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

  static Route route(Access access, bool takes_query_token = false) {
    Route made;
    made.access = access;
    made.takes_query_token = takes_query_token;
    return made;
  }

  static Request with_bearer(const std::string& secret) {
    Request request;
    request.headers = {{"authorization", "Bearer " + secret}};
    return request;
  }

  TempDirectory directory_;
  TokenStore tokens_{directory_.path() / "tokens.json"};
  TokenAccess loopback_{tokens_, "", true};
  TokenAccess network_{tokens_, "", false};
};

TEST_F(TokenAccessTest, LoopbackNeedsNoTokenWhileNoneExists) {
  Request request;
  EXPECT_FALSE(loopback_.authorize(route(Access::kWrite), request));
  EXPECT_EQ(request.principal.name, "local");
  EXPECT_TRUE(request.principal.may_write);
}

TEST_F(TokenAccessTest, LoopbackNeedsATokenOnceOneExists) {
  new_secret(true);
  Request request;
  const auto refused = loopback_.authorize(route(Access::kRead), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
}

TEST_F(TokenAccessTest, TheNetworkAlwaysNeedsAToken) {
  Request request;
  const auto refused = network_.authorize(route(Access::kRead), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
}

TEST_F(TokenAccessTest, AnOpenRouteNeedsNoToken) {
  Request request;
  EXPECT_FALSE(network_.authorize(route(Access::kOpen), request));
}

TEST_F(TokenAccessTest, ABearerTokenNamesThePrincipal) {
  Request request = with_bearer(new_secret(true));
  EXPECT_FALSE(network_.authorize(route(Access::kWrite), request));
  EXPECT_EQ(request.principal.name, "writer");
}

TEST_F(TokenAccessTest, ATokenThatMayOnlyReadCannotWrite) {
  Request request = with_bearer(new_secret(false));
  EXPECT_FALSE(network_.authorize(route(Access::kRead), request));
  const auto refused = network_.authorize(route(Access::kWrite), request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 403);
}

TEST_F(TokenAccessTest, AQueryTokenIsAcceptedOnlyWhereTheRouteAllowsItAndIsRemoved) {
  const std::string secret = new_secret(true);
  Request request;
  request.query = {{"types", "a"}, {"access_token", secret}};
  EXPECT_TRUE(network_.authorize(route(Access::kRead), request));
  EXPECT_FALSE(network_.authorize(route(Access::kRead, true), request));
  ASSERT_EQ(request.query.size(), 1U);
  EXPECT_EQ(request.query[0].first, "types");
}

TEST_F(TokenAccessTest, AForeignHostIsForbiddenAndAMissingOneIsABadRequest) {
  Request request;
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
