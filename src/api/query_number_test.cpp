#include "api/query_number.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

Result<std::int64_t> limit_in(std::vector<std::pair<std::string, std::string>> query) {
  http::Request request;
  request.query = std::move(query);
  return query_number(request, "limit", 100, 1, 1000);
}

TEST(QueryNumber, HasADefault) {
  EXPECT_EQ(limit_in({}).value(), 100);
  EXPECT_EQ(limit_in({{"other", "5"}}).value(), 100);
}

TEST(QueryNumber, MayBeAnyOfItsRange) {
  EXPECT_EQ(limit_in({{"limit", "1"}}).value(), 1);
  EXPECT_EQ(limit_in({{"limit", "1000"}}).value(), 1000);
}

TEST(QueryNumber, RejectsEverythingElse) {
  for (const char* text : {"", "0", "1001", "-1", "1.5", " 1", "1 ", "0x1", "99999999999999999999"})
    EXPECT_FALSE(limit_in({{"limit", text}})) << text;
  const Error error = limit_in({{"limit", "many"}}).error();
  EXPECT_EQ(error.kind, ErrorKind::kInvalidParameter);
  EXPECT_EQ(error.message, "limit: \"many\" is not a whole number from 1 to 1000");
  EXPECT_EQ(error.hint, "leave it out for 100");
}

}  // namespace
}  // namespace oriel
