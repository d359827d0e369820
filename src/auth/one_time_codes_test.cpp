#include "auth/one_time_codes.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kIssued{1h};

Principal principal(std::string name) {
  return {.name = name, .credential_id = name, .scopes = {Scope::kRead}, .projects = {"web"}};
}

TEST(OneTimeCodes, GrantWhatThePrincipalHas) {
  OneTimeCodes codes({});
  const std::string code = codes.issue(principal("ann"), kIssued).value();
  EXPECT_EQ(codes.redeem(code, kIssued), principal("ann"));
}

TEST(OneTimeCodes, WorkOnce) {
  OneTimeCodes codes({});
  const std::string code = codes.issue(principal("ann"), kIssued).value();
  EXPECT_TRUE(codes.redeem(code, kIssued));
  EXPECT_FALSE(codes.redeem(code, kIssued));
}

TEST(OneTimeCodes, Expire) {
  OneTimeCodes codes({.ttl = 30s});
  const std::string code = codes.issue(principal("ann"), kIssued).value();
  EXPECT_FALSE(codes.redeem(code, kIssued + 30s));
  EXPECT_TRUE(codes.redeem(codes.issue(principal("ann"), kIssued).value(), kIssued + 29s));
}

TEST(OneTimeCodes, UnknownCodesGrantNothing) {
  OneTimeCodes codes({});
  EXPECT_FALSE(codes.redeem("", kIssued));
  EXPECT_FALSE(codes.redeem("x", kIssued));
}

TEST(OneTimeCodes, AreBoundedPerPrincipalAndInAll) {
  OneTimeCodes codes({.max_open = 3, .max_open_per_principal = 2});
  const std::string first = codes.issue(principal("ann"), kIssued).value();
  const std::string second = codes.issue(principal("ann"), kIssued + 1s).value();
  const std::string third = codes.issue(principal("ann"), kIssued + 2s).value();
  EXPECT_FALSE(codes.redeem(first, kIssued + 2s));
  EXPECT_TRUE(codes.issue(principal("bob"), kIssued + 2s));
  EXPECT_FALSE(codes.issue(principal("eve"), kIssued + 2s));
  EXPECT_TRUE(codes.redeem(second, kIssued + 2s));
  EXPECT_TRUE(codes.redeem(third, kIssued + 2s));
}

}  // namespace
}  // namespace oriel
