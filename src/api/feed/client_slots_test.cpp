#include "api/feed/client_slots.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::shared_ptr<ClientSlots> slots_for(std::size_t all, std::size_t per_principal) {
  return std::make_shared<ClientSlots>(ClientLimits{.all = all, .per_principal = per_principal});
}

TEST(R_SSE_9, SlotsAreExactAndGivenBack) {
  const auto slots = slots_for(2, 2);
  auto first = *slots->take("");
  const auto second = *slots->take("");
  EXPECT_EQ(slots->take("").error(), FullSlots::kAll);
  first.reset();
  EXPECT_EQ(slots->taken(), 1U);
  EXPECT_TRUE(slots->take("").has_value());
}

TEST(ClientSlots, ACredentialAtItsLimitLeavesTheOthersTheirs) {
  const auto slots = slots_for(10, 1);
  auto own = *slots->take("1");
  EXPECT_EQ(slots->take("1").error(), FullSlots::kOfPrincipal);
  EXPECT_TRUE(slots->take("2").has_value());
  const auto operators_first = *slots->take("");
  EXPECT_TRUE(slots->take("").has_value()) << "the operator may have more";
  own.reset();
  EXPECT_TRUE(slots->take("1").has_value()) << "its place is free again";
}

TEST(ClientSlots, AClientRejectedForTheTotalLimitIsNotCountedForItsCredential) {
  const auto slots = slots_for(1, 1);
  auto others = *slots->take("1");
  EXPECT_EQ(slots->take("2").error(), FullSlots::kAll);
  others.reset();
  EXPECT_TRUE(slots->take("2").has_value());
}

TEST(ClientSlots, RefusalsAreCountedByTheLimitThatTheyMet) {
  const auto slots = slots_for(2, 1);
  const auto first = *slots->take("1");
  const auto second = *slots->take("2");
  EXPECT_TRUE(slots->take("1").has_error());
  EXPECT_TRUE(slots->take("3").has_error());
  EXPECT_TRUE(slots->take("").has_error());
  EXPECT_EQ(slots->refused(FullSlots::kOfPrincipal), 1U);
  EXPECT_EQ(slots->refused(FullSlots::kAll), 2U);
}

}  // namespace
}  // namespace oriel
