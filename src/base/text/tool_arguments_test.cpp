#include "base/text/tool_arguments.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ToolArguments, AreReducedToTheMostUsefulOne) {
  EXPECT_EQ(short_arguments(R"({"timeout":5,"command":"ls -l"})"), "ls -l");
  EXPECT_EQ(short_arguments(R"({"command":["bash","-lc","make"]})"), "bash -lc make");
  EXPECT_EQ(short_arguments(R"({"content":"x","file_path":"/a/b"})"), "/a/b");
  EXPECT_EQ(short_arguments(R"({"directory":"."})"), ".");
}

TEST(ToolArguments, OthersAreShownWhole) {
  EXPECT_EQ(short_arguments(R"({"x":1,"y":1.5})"), R"({"x":1,"y":1.5})");
  EXPECT_EQ(short_arguments("{}"), "");
  EXPECT_EQ(short_arguments("null"), "");
  EXPECT_EQ(short_arguments("\"text\""), "text");
  EXPECT_EQ(short_arguments("not json\nat all"), "not json");
  EXPECT_EQ(short_arguments(""), "");
}

}  // namespace
}  // namespace oriel
