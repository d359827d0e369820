#include "mcp/uri_template.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

using Parts = std::vector<std::pair<std::string, std::string>>;

TEST(UriTemplate, GivesThePartThatStandsForItsName) {
  EXPECT_EQ(match_uri("test://template/{id}/data", "test://template/123/data"),
            (Parts{{"id", "123"}}));
  EXPECT_EQ(match_uri("oriel://sessions/{id}", "oriel://sessions/ses_1"), (Parts{{"id", "ses_1"}}));
  EXPECT_EQ(match_uri("note://{who}", "note://alice"), (Parts{{"who", "alice"}}));
}

TEST(UriTemplate, GivesSeveralPartsInTheirOrder) {
  EXPECT_EQ(match_uri("a://{x}/b/{y}", "a://1/b/2"), (Parts{{"x", "1"}, {"y", "2"}}));
}

TEST(UriTemplate, WithoutNamesIsTheUriItself) {
  EXPECT_EQ(match_uri("a://b", "a://b"), Parts{});
  EXPECT_EQ(match_uri("", ""), Parts{});
}

TEST(UriTemplate, DoesNotFitWhatDiffersElsewhere) {
  for (const char* uri : {"", "a:", "a://b", "a://b/", "a://b/1", "a://b/1/", "a://b/1/d",
                          "a://b/1/c/", "a://b/1/2/c", "A://b/1/c", "xa://b/1/c"}) {
    EXPECT_EQ(match_uri("a://b/{id}/c", uri), std::nullopt) << uri;
  }
}

TEST(UriTemplate, DoesNotFitAnEmptyPart) {
  EXPECT_EQ(match_uri("a://b/{id}/c", "a://b//c"), std::nullopt);
  EXPECT_EQ(match_uri("a://b/{id}", "a://b/"), std::nullopt);
}

TEST(UriTemplate, DecodesAPart) {
  EXPECT_EQ(match_uri("a://{id}", "a://caf%C3%a9%20%2Fx"), (Parts{{"id", "caf\u00E9 /x"}}));
  EXPECT_EQ(match_uri("a://{id}", "a://a+b"), (Parts{{"id", "a+b"}}));
}

TEST(UriTemplate, DoesNotFitAPartThatIsNoText) {
  for (const char* uri :
       {"a://%", "a://%4", "a://%zz", "a://1%2", "a://%FF", "a://%C3", "a://\xFF"})
    EXPECT_EQ(match_uri("a://{id}", uri), std::nullopt) << uri;
}

TEST(UriTemplate, DoesNotTakeAQueryOrFragmentForAPart) {
  EXPECT_EQ(match_uri("a://b/{id}", "a://b/1?x=y"), std::nullopt);
  EXPECT_EQ(match_uri("a://b/{id}", "a://b/1#top"), std::nullopt);
}

TEST(UriTemplate, HasNoNamesWithinASegment) {
  EXPECT_EQ(match_uri("a://b-{id}", "a://b-1"), std::nullopt);
  EXPECT_EQ(match_uri("a://{}", "a://1"), std::nullopt);
}

}  // namespace
}  // namespace oriel::mcp
