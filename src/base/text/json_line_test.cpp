#include "base/text/json_line.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

std::string text_in(std::string_view line) {
  const auto value = parse_line(line);
  return value ? std::string(text_of(member(*value, "a"))) : "(noise)";
}

TEST(JsonLine, OnlyAnObjectIsOne) {
  for (const char* line : {"", " ", "x", "1", "null", "[{}]", "{", "{}{}", "{\"a\":1,}"})
    EXPECT_FALSE(parse_line(line)) << line;
  EXPECT_TRUE(parse_line(" {\"a\":1} \r"));
}

TEST(JsonLine, BytesThatAreNotUtf8CostACharacterAndNotTheLine) {
  EXPECT_EQ(text_in("{\"a\":\"x\xFFy\"}"), "x\xEF\xBF\xBDy");
  EXPECT_EQ(text_in("{\"a\":\"\xC3\"}"), "\xEF\xBF\xBD");
  EXPECT_EQ(text_in("{\"a\":\"\xED\xA0\x80\"}"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(text_in("{\"a\":\"\xC3\xA4\xF0\x9F\x98\x80\xFF\"}"),
            "\xC3\xA4\xF0\x9F\x98\x80\xEF\xBF\xBD");
}

TEST(JsonLine, HalfOfAnEscapedPairCostsACharacterAndNotTheLine) {
  EXPECT_EQ(text_in(R"({"a":"x\ud83d"})"), "x\xEF\xBF\xBD");
  EXPECT_EQ(text_in(R"({"a":"\ude00x"})"), "\xEF\xBF\xBDx");
  EXPECT_EQ(text_in(R"({"a":"\ud83d\ud83d\ude00"})"), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(text_in(R"({"a":"\\ud83d\"\u00e4\ud83d"})"), "\\ud83d\"\xC3\xA4\xEF\xBF\xBD");
}

TEST(JsonLine, DeepInputIsTakenUpToALimit) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(parse_line(nested(100)));
  EXPECT_FALSE(parse_line(nested(100000)));
}

TEST(JsonLine, ContentIsTextInWhateverShape) {
  const auto text = [](const char* content) { return content_text(json::parse(content)); };
  EXPECT_EQ(text("null"), "");
  EXPECT_EQ(text(R"("x")"), "x");
  EXPECT_EQ(text(R"([{"type":"text","text":"a"},{"type":"content","content":{"text":"b"}},"c",4])"),
            "abc");
  EXPECT_EQ(text(R"([{"type":"diff","path":"/w/a","newText":"x"}])"), "/w/a");
  EXPECT_EQ(text(R"({"k":1.5})"), R"({"k":1.5})");
}

TEST(JsonLine, AnErrorInsideJsonIsReadOutOfIt) {
  EXPECT_EQ(plain_error(R"(400 {"error":{"message":"too long"}})"), "400 too long");
  EXPECT_EQ(plain_error(R"({"message":"no"})"), "no");
  EXPECT_EQ(plain_error("plain {brace"), "plain {brace");
  EXPECT_EQ(plain_error(R"({"code":1})"), R"({"code":1})");
}

}  // namespace
}  // namespace oriel
