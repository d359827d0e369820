#include "base/event/usage.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <limits>

namespace oriel {
namespace {

Usage usage(std::string_view json) {
  return parse_usage(boost::json::parse(json));
}

TEST(Usage, IsReadBackFromItsJson) {
  const Usage all = usage(R"({"input_tokens":1,"output_tokens":2,"cache_read_tokens":3,)"
                          R"("cache_write_tokens":4,"context_used":5,"context_size":6,)"
                          R"("cost_usd":0.5})");
  EXPECT_EQ(to_json(all).size(), 7U);
  EXPECT_EQ(parse_usage(to_json(all)), all);
  EXPECT_TRUE(usage("{}").is_empty());
  EXPECT_TRUE(usage(R"({"input_tokens":"1","cost_usd":"?","other":1})").is_empty());
}

TEST(Usage, AnUpdateReplacesTheNumbersThatItHas) {
  Usage known = usage(R"({"input_tokens":1,"output_tokens":2})");
  update(known, usage(R"({"output_tokens":7})"));
  EXPECT_EQ(known, usage(R"({"input_tokens":1,"output_tokens":7})"));
}

TEST(Usage, ATotalAddsTokensAndCostAndKeepsTheNewestContext) {
  Usage total = usage(R"({"output_tokens":7,"cost_usd":0.5,"context_used":90})");
  add(total, usage(R"({"output_tokens":2,"cost_usd":1,"context_used":40})"));
  EXPECT_EQ(total, usage(R"({"output_tokens":9,"cost_usd":1.5,"context_used":40})"));
}

TEST(Usage, TokensThatWereNotCountedBeforeAreNew) {
  const Usage before = usage(R"({"input_tokens":10})");
  EXPECT_EQ(usage_since(before, usage(R"({"input_tokens":25,"output_tokens":3})")),
            usage(R"({"input_tokens":15,"output_tokens":3})"));
}

TEST(Usage, AbsurdNumbersDoNoHarm) {
  Usage lowest;
  lowest.input_tokens = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(usage_since(usage(R"({"input_tokens":1})"), lowest).input_tokens);
  add(lowest, lowest);
  EXPECT_TRUE(lowest.input_tokens);
}

}  // namespace
}  // namespace oriel
