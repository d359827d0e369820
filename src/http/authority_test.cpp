#include "http/authority.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

TEST(Authority, HasAHostAndPerhapsAPort) {
  EXPECT_EQ(parse_authority("Example.org")->host, "example.org");
  EXPECT_EQ(parse_authority("Example.org")->port, std::nullopt);
  EXPECT_EQ(parse_authority("127.0.0.1:7433")->port, 7433);
  EXPECT_EQ(parse_authority("[0:0::1]:7433")->host, "[::1]");
}

TEST(Authority, OfAnythingElseIsNone) {
  for (const char* text : {"", ":80", "a:", "a:0", "a:65536", "a:80x", "a b", "user@a", "[::1",
                           "[::1]x", "[fe80::1%eth0]", "::1"})
    EXPECT_FALSE(parse_authority(text)) << text;
}

TEST(IsHostName, LabelsAreJoinedBySingleDots) {
  for (const char* host : {"localhost", "127.0.0.1", "a-b.Example.org", "my_host"})
    EXPECT_TRUE(is_host_name(host)) << host;
  for (const char* host : {"", ".", "a..b", ".a", "a.", "a b", "a%20b", "a:1", "[::1]", "\xC3\xA9"})
    EXPECT_FALSE(is_host_name(host)) << host;
  EXPECT_TRUE(is_host_name(std::string(253, 'a')));
  EXPECT_FALSE(is_host_name(std::string(254, 'a')));
}

}  // namespace
}  // namespace oriel::http
