#include "auth/auth_refusals.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

constexpr SteadyTime kAttempt{std::chrono::hours(1)};

http::Request request_from(std::string peer) {
  http::Request request;
  request.peer = std::move(peer);
  return request;
}

TEST(AuthRefusals, AreCountedByReason) {
  AuthRefusals refusals;
  refusals.count(AuthRefusal::kHost);
  refusals.count(AuthRefusal::kHost);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kHost), 2U);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kOrigin), 0U);
  EXPECT_EQ(name_of(AuthRefusal::kMissingCredential), "missing_credential");
  EXPECT_EQ(name_of(AuthRefusal::kSlowed), "slowed");
}

TEST(AuthRefusals, WrongCredentialsOfAllKindsSlowTheirSenderDown) {
  AuthRefusals refusals({.free_attempts = 2});
  const http::Request request = request_from("192.0.2.1:50412");
  EXPECT_EQ(refusals.wrong_credential(request, AuthRefusal::kWrongCode, kAttempt).count(), 0);
  EXPECT_EQ(refusals.wrong_credential(request, AuthRefusal::kWrongCookie, kAttempt).count(), 0);
  EXPECT_GT(refusals.wrong_credential(request, AuthRefusal::kWrongToken, kAttempt).count(), 0);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kWrongCode), 1U);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kWrongCookie), 1U);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kWrongToken), 0U);
  EXPECT_EQ(refusals.count_of(AuthRefusal::kSlowed), 1U);
  EXPECT_EQ(refusals.failures(), 2U);
}

TEST(AuthRefusals, ASenderIsAnAddressANetworkOrAUser) {
  EXPECT_EQ(sender_of(request_from("192.0.2.1:1")), "192.0.2.1");
  EXPECT_EQ(sender_of(request_from("[2001:db8:0:1::2]:1")),
            sender_of(request_from("[2001:db8:0:1:ffff::3]:1")));
  EXPECT_NE(sender_of(request_from("[2001:db8:0:1::2]:1")),
            sender_of(request_from("[2001:db8:0:2::2]:1")));
  http::Request local = request_from("127.0.0.1:1");
  local.peer_user = 1000;
  EXPECT_EQ(sender_of(local), "127.0.0.1 1000");
}

}  // namespace
}  // namespace oriel
