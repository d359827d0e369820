#include "server/start_gate.h"

#include "http/router.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

// Lets everything pass. Who names a token has it.
class OpenAccess final : public http::AccessControl {
 public:
  std::optional<http::Response> check(const http::Route*, http::Request& request) const override {
    request.principal.credential_id = request.header("authorization").value_or("");
    return std::nullopt;
  }

  http::Headers response_headers(const http::Request&) const override { return {}; }
};

class StartGateTest : public testing::Test {
 protected:
  std::optional<http::Response> check(const std::string& pattern, const std::string& method = "GET",
                                      const std::string& token = {}) {
    const http::Route route{.method = method, .pattern = pattern, .handler = {}};
    http::Request request;
    request.method = method;
    if (!token.empty()) request.headers.emplace_back("authorization", token);
    return gate_.check(&route, request);
  }

  OpenAccess access_;
  StartGate gate_{access_, [] { return "42 entries behind"; }};
};

using R_AUTH_2_StartGate = StartGateTest;
using R_CLUSTER_6 = StartGateTest;

TEST_F(R_CLUSTER_6, ANodeThatHasNotCaughtUpRejectsRequestsWithTheReason) {
  const auto response = check("/api/sessions");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 503);
  EXPECT_NE(response->body->find("42 entries behind"), std::string::npos);
}

TEST_F(R_CLUSTER_6, ANodeThatHasNotCaughtUpStillTellsItsState) {
  EXPECT_FALSE(check("/health"));
  EXPECT_FALSE(check("/ready"));
}

TEST_F(R_CLUSTER_6, ANodeThatStartedWithoutTheLogAcceptsRequestsThatOnlyRead) {
  gate_.open_for_readers();
  EXPECT_FALSE(check("/api/sessions"));
  EXPECT_FALSE(check("/api/events", "HEAD"));
  EXPECT_FALSE(check("/mcp", "POST"));
  for (const char* const method : {"POST", "PUT", "DELETE"}) {
    const auto response = check("/api/sessions", method);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 503);
  }
}

TEST_F(R_AUTH_2_StartGate, ANodeThatStartedWithoutTheLogAcceptsNoTokenThatMayHaveBeenRevoked) {
  gate_.open_for_readers();
  const auto response = check("/api/sessions", "GET", "laptop");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 503);
  EXPECT_NE(response->body->find("revoked"), std::string::npos);
  gate_.open();
  EXPECT_FALSE(check("/api/sessions", "GET", "laptop"));
}

TEST_F(R_CLUSTER_6, ANodeThatHasCaughtUpAcceptsRequests) {
  gate_.open();
  EXPECT_FALSE(check("/api/sessions"));
}

}  // namespace
}  // namespace oriel
