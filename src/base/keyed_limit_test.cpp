#include "base/keyed_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace oriel {
namespace {

TEST(KeyedLimit, OneKeyAtItsLimitLeavesTheOthersTheirs) {
  KeyedLimit limit(2);
  EXPECT_TRUE(limit.take("a"));
  EXPECT_TRUE(limit.take("a"));
  EXPECT_FALSE(limit.take("a"));
  EXPECT_TRUE(limit.take("b"));
}

TEST(KeyedLimit, WhatIsGivenBackCanBeTakenAgain) {
  KeyedLimit limit(1);
  ASSERT_TRUE(limit.take("a"));
  limit.give_back("a");
  EXPECT_TRUE(limit.take("a"));
  EXPECT_FALSE(limit.take("a"));
}

TEST(KeyedLimit, WhatIsThereAlreadyIsCountedBeyondTheLimit) {
  KeyedLimit limit(1);
  ASSERT_TRUE(limit.take("a"));
  limit.take_anyway("a");
  limit.give_back("a");
  EXPECT_FALSE(limit.take("a"));
  limit.give_back("a");
  EXPECT_TRUE(limit.take("a"));
}

TEST(KeyedLimit, TheOperatorHasNone) {
  KeyedLimit limit(1);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(limit.take(""));
  limit.give_back("");
  EXPECT_EQ(limit.keys(), 0U);
}

TEST(KeyedLimit, AKeyThatHoldsNothingIsForgotten) {
  KeyedLimit limit(2);
  ASSERT_TRUE(limit.take("a"));
  ASSERT_TRUE(limit.take("a"));
  limit.give_back("a");
  EXPECT_EQ(limit.keys(), 1U);
  limit.give_back("a");
  EXPECT_EQ(limit.keys(), 0U);
}

TEST(KeyedLimit, IsExactOverThreads) {
  KeyedLimit limit(100);
  std::atomic<int> taken{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int attempt = 0; attempt < 100; ++attempt)
        taken += limit.take("a") ? 1 : 0;
    });
  }
  threads.clear();
  EXPECT_EQ(taken, 100);
}

}  // namespace
}  // namespace oriel
