#include "agent/adapters/usage.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace oriel {
namespace {

namespace json = boost::json;

TEST(Usage, TakesNumbersAndNothingElse) {
  const json::value theirs = json::parse(R"({"in":1,"out":"2","cost":0.5,"more":9})");
  const json::object usage =
      usage_of(theirs, {{"in", "input_tokens"}, {"out", "output_tokens"}, {"cost", "cost_usd"}});
  EXPECT_EQ(json::value(usage), json::parse(R"({"input_tokens":1,"cost_usd":0.5})"));
  EXPECT_TRUE(usage_of(nullptr, {{"in", "input_tokens"}}).empty());
}

TEST(Usage, WhatWasNotKnownBeforeIsAllNew) {
  EXPECT_EQ(json::value(usage_since({{"a", 10}}, {{"a", 25}, {"b", 3}})),
            json::parse(R"({"a":15,"b":3})"));
}

TEST(Usage, AbsurdNumbersDoNoHarm) {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(usage_since({{"a", 1}}, {{"a", lowest}}).size(), 1U);
}

}  // namespace
}  // namespace oriel
