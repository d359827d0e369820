#include "http/url.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

TEST(Url, ReadsHostAndPort) {
  const Url url = parse_url("http://127.0.0.1:7433").value();
  EXPECT_EQ(url, (Url{.is_tls = false, .host = "127.0.0.1", .port = 7433, .path = ""}));
  EXPECT_EQ(url.authority(), "127.0.0.1:7433");
  EXPECT_EQ(url.origin(), "http://127.0.0.1:7433");
}

TEST(Url, TakesThePortOfItsScheme) {
  EXPECT_EQ(parse_url("http://oriel.example.org")->port, 80);
  EXPECT_EQ(parse_url("https://oriel.example.org")->port, 443);
  EXPECT_EQ(parse_url("https://oriel.example.org:443")->authority(), "oriel.example.org");
  EXPECT_EQ(parse_url("https://oriel.example.org:80")->origin(), "https://oriel.example.org:80");
}

TEST(Url, KeepsAnIpv6AddressWithoutItsBrackets) {
  const Url url = parse_url("http://[::1]:7433/").value();
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.authority(), "[::1]:7433");
}

TEST(Url, ReadsANameThatBeginsLikeAnAddress) {
  const Url url = parse_url("http://127.0.0.1.example.org:8080/x").value();
  EXPECT_EQ(url.host, "127.0.0.1.example.org");
  EXPECT_EQ(url.port, 8080);
  EXPECT_EQ(url.path, "/x");
}

TEST(Url, KeepsThePathWithoutItsLastSlash) {
  EXPECT_EQ(parse_url("https://example.org/")->path, "");
  EXPECT_EQ(parse_url("https://example.org/a%20b/c/")->path, "/a%20b/c");
}

TEST(Url, RefusesWhatIsNotAServersUrl) {
  for (const char* text :
       {"", "127.0.0.1:7433", "localhost:7433", "http:", "http://", "http://:80", "http:///x",
        "ftp://example.org", "http://user@example.org", "http://example.org?x",
        "http://example.org#x", "http://example.org:0", "http://example.org:65536",
        "http://example.org:x", "http://exa mple.org", "http://example.org\r\nX: y",
        "http://a%0d%0ab", "http://[::1"}) {
    EXPECT_TRUE(parse_url(text).has_error()) << text;
  }
}

TEST(Url, ErrorNamesTheTextAndTheRemedy) {
  const Error error = parse_url("localhost:7433").error();
  EXPECT_EQ(error.message, "\"localhost:7433\" does not begin with http:// or https://");
  EXPECT_EQ(error.hint, "write http://HOST:PORT or https://HOST");
}

}  // namespace
}  // namespace oriel::http
