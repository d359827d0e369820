#include "base/text/json_document.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kLastOfTheYear9999 = 253'402'300'799'999;

TEST(JsonDocument, MembersHaveTheirTypes) {
  const json::object object = {{"name", "a\"b"}, {"time", 1'794'777'567'042}};
  EXPECT_EQ(string_at(object, "name"), "a\"b");
  EXPECT_EQ(time_at(object, "time"), WallTime(std::chrono::milliseconds(1'794'777'567'042)));
}

TEST(JsonDocument, AMissingOrMalformedMemberIsAnException) {
  const json::object object = {{"name", 1}, {"time", "now"}};
  EXPECT_THROW(string_at(object, "name"), std::exception);
  EXPECT_THROW(string_at(object, "other"), std::out_of_range);
  EXPECT_THROW(time_at(object, "time"), std::exception);
  EXPECT_THROW(time_at(object, "other"), std::out_of_range);
}

TEST(JsonDocument, ATimeThatNoDateCanShowIsAnException) {
  EXPECT_THROW(time_in(-1), std::out_of_range);
  EXPECT_THROW(time_in(kLastOfTheYear9999 + 1), std::out_of_range);
  EXPECT_NO_THROW(time_in(0));
  EXPECT_NO_THROW(time_in(kLastOfTheYear9999));
}

}  // namespace
}  // namespace oriel
