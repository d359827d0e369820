#include "base/text/json_document.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

constexpr std::int64_t kLastOfTheYear9999 = 253'402'300'799'999;

WallTime time_of(std::int64_t milliseconds) {
  const json::value object = {{"time", milliseconds}};
  return DocumentFields(object).time("time");
}

TEST(JsonDocument, MembersHaveTheirTypes) {
  const json::value object = {{"name", "a\"b"}, {"names", {"a", "b"}},       {"count", 3},
                              {"index", -1},    {"time", 1'794'777'567'042}, {"is_done", true}};
  const DocumentFields fields(object);
  EXPECT_EQ(fields.text("name"), "a\"b");
  EXPECT_THAT(fields.texts("names"), ElementsAre("a", "b"));
  EXPECT_EQ(fields.number("count"), 3U);
  EXPECT_EQ(fields.index("index"), -1);
  EXPECT_EQ(fields.time("time"), WallTime(std::chrono::milliseconds(1'794'777'567'042)));
  EXPECT_TRUE(fields.flag("is_done"));
  EXPECT_EQ(fields.array("names").size(), 2U);
}

TEST(JsonDocument, AMissingOrMalformedMemberIsAnException) {
  const json::value object = {{"name", 1}, {"time", "now"}, {"count", -1}};
  const DocumentFields fields(object);
  EXPECT_THROW(fields.text("name"), std::exception);
  EXPECT_THROW(fields.text("other"), std::out_of_range);
  EXPECT_THROW(fields.text_if_any("name"), std::exception);
  EXPECT_THROW(fields.array_if_any("name"), std::exception);
  EXPECT_THROW(fields.time("time"), std::exception);
  EXPECT_THROW(fields.time("other"), std::out_of_range);
  EXPECT_THROW(fields.time_or_none("other"), std::out_of_range);
  EXPECT_THROW(fields.number("count"), std::exception);
  EXPECT_THROW(DocumentFields(json::value(3)), std::exception);
}

TEST(JsonDocument, AMemberThatMayBeLeftOutReadsAsEmpty) {
  const json::value object = {{"at", nullptr}};
  const DocumentFields fields(object);
  EXPECT_EQ(fields.text_if_any("name"), "");
  EXPECT_TRUE(fields.array_if_any("names").empty());
  EXPECT_EQ(fields.time_or_none("at"), std::nullopt);
}

TEST(JsonDocument, ATimeThatNoDateCanShowIsAnException) {
  EXPECT_THROW(time_of(-1), std::out_of_range);
  EXPECT_THROW(time_of(kLastOfTheYear9999 + 1), std::out_of_range);
  EXPECT_NO_THROW(time_of(0));
  EXPECT_NO_THROW(time_of(kLastOfTheYear9999));
}

}  // namespace
}  // namespace oriel
