#include "base/text/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace oriel {
namespace {

const std::vector<Spelling> kNames = {{"--heartbeat", "--heartbeat"},
                                      {"--header-timeout", "--header-timeout"},
                                      {"heartbeat", "sse.heartbeat"},
                                      {"--tls-key", "--tls-key"}};

TEST(Nearest, FindsTheNameBehindASlip) {
  EXPECT_EQ(nearest("--hartbeat", kNames), "--heartbeat");
  EXPECT_EQ(nearest("--heart-beat", kNames), "--heartbeat");
  EXPECT_EQ(nearest("--tls_key", kNames), "--tls-key");
}

TEST(Nearest, GivesTheNameOfACommonSpelling) {
  EXPECT_EQ(nearest("heartbeat", kNames), "sse.heartbeat");
}

TEST(Nearest, GivesNoneWhenNothingIsNear) {
  EXPECT_EQ(nearest("--colour", kNames), std::nullopt);
  EXPECT_EQ(nearest("", kNames), std::nullopt);
  EXPECT_EQ(nearest("heartbeat", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, '-'), kNames), std::nullopt);
}

TEST(Nearest, HintFallsBackToTheOtherText) {
  EXPECT_EQ(did_you_mean("--listen", "see --help"), "did you mean --listen?");
  EXPECT_EQ(did_you_mean(std::nullopt, "see --help"), "see --help");
}

}  // namespace
}  // namespace oriel
