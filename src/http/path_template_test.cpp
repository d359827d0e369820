#include "http/path_template.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

TEST(PathTemplate, ReturnsTheParametersInOrder) {
  EXPECT_EQ(match_template("/p/{project}/f/{file}", "/p/a b/f/%20"),
            (PathParams{{"project", "a b"}, {"file", "%20"}}));
  EXPECT_EQ(match_template("{a}", "x"), (PathParams{{"a", "x"}}));
}

TEST(PathTemplate, WithoutParametersMatchesItself) {
  EXPECT_EQ(match_template("/a/b", "/a/b"), PathParams{});
  EXPECT_EQ(match_template("/", "/"), PathParams{});
  EXPECT_EQ(match_template("", ""), PathParams{});
}

TEST(PathTemplate, MatchesSegmentBySegment) {
  for (const char* path : {"", "/", "/a", "/a/", "/a/1/", "/a/1/2", "/A/1", "a/1", "//1", "/a//1"})
    EXPECT_EQ(match_template("/a/{id}", path), std::nullopt) << path;
}

TEST(PathTemplate, AParameterIsAWholeSegment) {
  EXPECT_EQ(match_template("/b-{id}", "/b-1"), std::nullopt);
  EXPECT_EQ(match_template("/b-{id}", "/b-{id}"), PathParams{});
  EXPECT_EQ(match_template("/{}", "/1"), std::nullopt);
}

}  // namespace
}  // namespace oriel::http
