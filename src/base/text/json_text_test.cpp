#include "base/text/json_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(JsonText, KeepsTheShapeOfWhatItWasParsedFrom) {
  for (const char* text : {R"({"a":[1,-2,1.5,true,null,"x\"\n"],"b":{}})", "[]", "0.1", "1e+300",
                           "18446744073709551615", R"("ü")"}) {
    EXPECT_EQ(json_text(boost::json::parse(text)), text);
  }
}

TEST(JsonText, AnObjectReadsAsTheValueThatHoldsIt) {
  const boost::json::value value = boost::json::parse(R"({"a":[1.5],"b":{}})");
  EXPECT_EQ(json_text(value.get_object()), json_text(value));
}

TEST(JsonText, EveryCharacterReadsAsItWasWritten) {
  for (int c = 0; c < 256; ++c) {
    const boost::json::value text(std::string("a") + static_cast<char>(c) + "b");
    EXPECT_EQ(json_text(text), boost::json::serialize(text)) << c;
  }
  EXPECT_EQ(json_text(boost::json::value("\x1b[2J\"\\/")), R"("\u001b[2J\"\\/")");
}

TEST(JsonText, TheSizeOfAStringIsKnownBeforeItIsWritten) {
  std::string text;
  for (int c = 0; c < 256; ++c)
    text += static_cast<char>(c);
  std::string written;
  append_json_string(written, text);
  EXPECT_EQ(json_string_size(text), written.size());
  EXPECT_EQ(json_string_size(""), 2U);
}

TEST(JsonText, HasNoWordForInfinity) {
  EXPECT_EQ(json_text(boost::json::parse("[1e999,-1e999]")), "[null,null]");
}

}  // namespace
}  // namespace oriel
