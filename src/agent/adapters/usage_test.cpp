#include "agent/adapters/usage.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(AgentUsage, TakesNumbersAndNothingElse) {
  const boost::json::value theirs = boost::json::parse(R"({"in":1,"out":"2","more":9})");
  const Usage usage =
      usage_of(theirs, {{"in", &Usage::input_tokens}, {"out", &Usage::output_tokens}});
  EXPECT_EQ(usage.input_tokens, 1);
  EXPECT_EQ(usage.output_tokens, std::nullopt);
  EXPECT_TRUE(usage_of(nullptr, {{"in", &Usage::input_tokens}}).is_empty());
}

}  // namespace
}  // namespace oriel
