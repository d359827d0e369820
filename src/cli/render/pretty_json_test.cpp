#include "cli/render/pretty_json.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(PrettyJson, HasOneMemberPerLine) {
  const auto value = boost::json::parse(R"({"a":[1.5,{}],"b":{"c":"d"},"e":[]})");
  EXPECT_EQ(pretty_json(value, "\t", "  "),
            "{\n  \t\"a\": [\n  \t\t1.5,\n  \t\t{}\n  \t],\n  \t\"b\": {\n  \t\t\"c\": \"d\"\n"
            "  \t},\n  \t\"e\": []\n  }");
}

TEST(PrettyJson, IndentsAsTheFileDoes) {
  EXPECT_EQ(indent_of("{\n\t\"a\": 1\n}"), "\t");
  EXPECT_EQ(indent_of("{\n    \"a\": 1\n}"), "    ");
  EXPECT_EQ(indent_of("{\n}"), "  ");
  EXPECT_EQ(indent_of("{}"), "  ");
  EXPECT_EQ(indent_of("{\"a\": {\n        \"b\": 1}}"), "  ");
}

}  // namespace
}  // namespace oriel
