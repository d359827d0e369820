#include "mcp/streams/store_budget.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace oriel::mcp {
namespace {

TEST(R_STORE_4, APayloadThatManyHoldCountsOnce) {
  const StoreBudget budget(1000);
  const SharedMessage payload = budget.hold(std::string(500, 'x'));
  const std::size_t once = budget.held();
  EXPECT_GE(once, 500u);
  EXPECT_LT(once, 700u);
  const std::vector<SharedMessage> watchers(100, payload);
  EXPECT_EQ(budget.held(), once);
}

TEST(R_STORE_4, APayloadCountsUntilTheLastHasLetGo) {
  const StoreBudget budget(1000);
  SharedMessage one = budget.hold(std::string(500, 'x'));
  const SharedMessage::weak_type watch = one;
  SharedMessage other = one;
  one.reset();
  EXPECT_GE(budget.held(), 500u);
  other.reset();
  EXPECT_EQ(budget.held(), 0u);
  EXPECT_TRUE(watch.expired());
}

TEST(R_STORE_2, WhatIsReallyHeldCounts) {
  const StoreBudget budget(1000);
  std::string roomy = "x";
  roomy.reserve(5000);
  const SharedMessage payload = budget.hold(std::move(roomy));
  EXPECT_GE(budget.held(), 5000u);
}

TEST(R_STORE_2, WhatAMessageSharesWithOthersCounts) {
  const StoreBudget budget(1000);
  const auto others = std::make_shared<const std::string>(5000, 'x');
  const SharedMessage payload = budget.hold({"{", others, 5200, "}"});
  EXPECT_GE(budget.held(), 5200u);
}

TEST(R_STORE_2, ThereIsMoreThanTheLimitOnlyBeyondIt) {
  const StoreBudget budget(1000);
  budget.add(1000);
  EXPECT_FALSE(budget.is_over());
  budget.add(1);
  EXPECT_TRUE(budget.is_over());
  budget.remove(1);
  EXPECT_FALSE(budget.is_over());
}

TEST(StoreBudget, APayloadMayOutliveItsBudget) {
  auto budget = std::make_unique<StoreBudget>(1000);
  const SharedMessage payload = budget->hold(std::string("hello"));
  budget.reset();
  EXPECT_EQ(payload->rest, "hello");
}

}  // namespace
}  // namespace oriel::mcp
