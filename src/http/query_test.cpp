#include "http/query.h"

#include <gmock/gmock.h>

namespace oriel::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::string path_of(std::string_view target) {
  const auto parsed = parse_target(target);
  return parsed ? parsed->path : "refused: " + parsed.error().message;
}

TEST(ParseTarget, GivesThePathDecoded) {
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("/api/events?types=a"), "/api/events");
  EXPECT_EQ(path_of("/api/a%20b+c/%C3%A4"), "/api/a b+c/\xC3\xA4");
  EXPECT_EQ(path_of("/a/"), "/a/");
  EXPECT_EQ(path_of("//a//b"), "//a//b");
  EXPECT_EQ(path_of("/a...b/...?x"), "/a...b/...");
}

TEST(ParseTarget, GivesTheQueryDecodedInOrderWithRepeats) {
  const auto target = parse_target("/p?types=a,b&types=c%2Cd&project_id=x+y%2B&flag&empty=&a=b=c");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->query,
              ElementsAre(Pair("types", "a,b"), Pair("types", "c,d"), Pair("project_id", "x y+"),
                          Pair("flag", ""), Pair("empty", ""), Pair("a", "b=c")));
}

TEST(ParseTarget, SkipsEmptyPairs) {
  EXPECT_THAT(parse_target("/p?")->query, IsEmpty());
  EXPECT_THAT(parse_target("/p?&&a=1&")->query, ElementsAre(Pair("a", "1")));
  EXPECT_THAT(parse_target("/p?=1")->query, ElementsAre(Pair("", "1")));
}

TEST(ParseTarget, TakesTheAbsoluteForm) {
  const auto target = parse_target("http://oriel.example.org:7433/health?a=1");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/health");
  EXPECT_EQ(target->authority, "oriel.example.org:7433");
  EXPECT_THAT(target->query, ElementsAre(Pair("a", "1")));
  EXPECT_EQ(path_of("https://[::1]"), "/");
  EXPECT_EQ(parse_target("/health")->authority, "");
}

TEST(ParseTarget, RefusesWhatIsNoTarget) {
  const std::string_view refused[] = {
      "",
      "*",
      "health",
      "/a b",
      "/a#b",
      "/%",
      "/%2",
      "/%zz",
      "/a?b=%",
      "/\"",
      "/\xC3\xA4",
      "/a\x01",
      "localhost:80",
      "ftp://a/b",
      "http:///a",
      "http:/a",
      "file:///etc/passwd",
      "http://u:p@h/a",
      "mailto:a@b",
      "http://[::1/a",
  };
  for (const std::string_view target : refused) {
    const auto parsed = parse_target(target);
    ASSERT_FALSE(parsed) << target;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kBadTarget);
  }
}

TEST(ParseTarget, RefusesDotSegmentsHoweverWritten) {
  for (const std::string_view target : {"/..", "/.", "/a/../b", "/a/./b", "/a/..", "/%2e%2E/b",
                                        "/.%2e", "/a/%2E?x", "/.//a", "http://h/../a", "/..?"}) {
    const auto parsed = parse_target(target);
    ASSERT_FALSE(parsed) << target;
    EXPECT_THAT(parsed.error().message, HasSubstr("dot segment")) << target;
  }
}

TEST(ParseTarget, RefusesEncodedSlashesAndNuls) {
  EXPECT_THAT(parse_target("/a%2Fb").error().message, HasSubstr("encoded slash"));
  EXPECT_THAT(parse_target("/..%2f..").error().message, HasSubstr("encoded slash"));
  EXPECT_THAT(parse_target("/a%00b").error().message, HasSubstr("NUL"));
  EXPECT_THAT(parse_target("/a?b=%00").error().message, HasSubstr("NUL"));
}

TEST(ParseTarget, NamesTheCulprit) {
  EXPECT_THAT(parse_target("/a\x1b[31m").error().message, HasSubstr(R"("/a\x1b[31m")"));
}

TEST(QueryValue, IsTheLastOfARepeatedParameter) {
  Request request;
  request.query = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
  EXPECT_EQ(query_value(request, "a"), "3");
  EXPECT_EQ(query_value(request, "c"), std::nullopt);
}

TEST(QueryValues, AreAllOfARepeatedParameterInOrder) {
  Request request;
  request.query = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
  EXPECT_THAT(query_values(request, "a"), ElementsAre("1", "3"));
  EXPECT_THAT(query_values(request, "c"), IsEmpty());
}

TEST(CheckQuery, NamesAParameterThatIsNotKnown) {
  Request request;
  request.path = "/api/events";
  request.query = {{"types", "a"}, {"typs", "b"}};
  const auto checked = check_query(request, {"types", "project_id"});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::kUnknownParameter);
  EXPECT_EQ(checked.error().message, "/api/events has no parameter \"typs\"");
  EXPECT_EQ(checked.error().hint, "it takes types, project_id");
}

TEST(CheckQuery, PassesKnownParameters) {
  Request request;
  request.query = {{"types", "a"}, {"types", "b"}};
  EXPECT_TRUE(check_query(request, {"types"}));
  EXPECT_TRUE(check_query(Request{}, {}));
}

}  // namespace
}  // namespace oriel::http
