#include "auth/origin_guard.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace oriel {
namespace {

// "passes", or the code of the error.
std::string verdict(const OriginGuard& guard, const http::Request& request) {
  const auto checked = guard.check(request);
  return checked ? "passes" : std::string(code_of(checked.error().kind));
}

std::string host_verdict(const OriginGuard& guard, std::string host) {
  http::Request request;
  request.headers = {{"host", std::move(host)}};
  return verdict(guard, request);
}

std::string origin_verdict(const OriginGuard& guard, std::string origin) {
  http::Request request;
  request.headers = {{"host", "localhost"}, {"origin", std::move(origin)}};
  return verdict(guard, request);
}

TEST(OriginGuard, PassesLoopbackHostsWithAnyPort) {
  const OriginGuard guard("");
  for (const char* host :
       {"localhost", "localhost:7433", "LocalHost:1", "oriel.localhost", "a.b.localhost:65535",
        "127.0.0.1", "127.0.0.1:80", "127.255.0.9", "[::1]", "[::1]:7433", "[0:0:0:0:0:0:0:1]"}) {
    EXPECT_EQ(host_verdict(guard, host), "passes") << host;
  }
}

TEST(OriginGuard, RefusesForeignHosts) {
  const OriginGuard guard("");
  for (const char* host :
       {"evil.example", "evil.example:7433", "localhost.evil.example", "xlocalhost", "128.0.0.1",
        "127.1", "2130706433", "0x7f.0.0.1", "127.0.0.1.evil.example", "192.168.1.1:7433", "[::2]",
        "[::ffff:127.0.0.1]", "0.0.0.0"}) {
    EXPECT_EQ(host_verdict(guard, host), "foreign_host") << host;
  }
}

TEST(OriginGuard, CallsAMissingOrMalformedHostBad) {
  const OriginGuard guard("");
  EXPECT_EQ(verdict(guard, http::Request{}), "bad_host");
  for (const char* host : {"",
                           ":7433",
                           "localhost:",
                           "localhost:0",
                           "localhost:65536",
                           "localhost:+1",
                           "localhost:80x",
                           "localhost:80:80",
                           "local host",
                           "user@localhost",
                           "localhost/",
                           "localhost.",
                           ".localhost",
                           "a..localhost",
                           "[::1",
                           "::1",
                           "[::1]x",
                           "[::1%lo]",
                           "[127.0.0.1]",
                           "[]",
                           "http://localhost",
                           "localhost,evil.example",
                           "localhost?"}) {
    EXPECT_EQ(host_verdict(guard, host), "bad_host") << host;
  }
}

TEST(OriginGuard, PassesTheHostOfThePublicUrl) {
  const OriginGuard guard("https://Oriel.example.org/");
  EXPECT_EQ(host_verdict(guard, "oriel.example.org"), "passes");
  EXPECT_EQ(host_verdict(guard, "ORIEL.example.org:443"), "passes");
  EXPECT_EQ(host_verdict(guard, "oriel.example.org:80"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "oriel.example.org:7433"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "x.oriel.example.org"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "localhost:7433"), "passes");
}

TEST(OriginGuard, PassesThePortOfThePublicUrlAlone) {
  const OriginGuard guard("http://[2001:DB8::0:1]:8443");
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]:8443"), "passes");
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]:80"), "foreign_host");
}

TEST(OriginGuard, PassesPagesOfLoopbackAndOfThePublicUrl) {
  const OriginGuard guard("https://oriel.example.org");
  for (const char* origin : {"http://localhost:3000", "https://localhost", "http://127.0.0.1:7433",
                             "http://[::1]:7433", "https://oriel.example.org",
                             "https://oriel.example.org:443", "HTTPS://ORIEL.example.org"}) {
    EXPECT_EQ(origin_verdict(guard, origin), "passes") << origin;
  }
}

TEST(OriginGuard, RefusesForeignPages) {
  const OriginGuard guard("https://oriel.example.org");
  for (const char* origin :
       {"null", "", "https://evil.example", "http://oriel.example.org", "localhost",
        "https://oriel.example.org:8443", "https://oriel.example.org.evil.example",
        "https://oriel.example.org/", "file://", "chrome-extension://localhost",
        "http://localhost.evil.example", "http://localhost@evil.example", "http://", "//localhost",
        "http://localhost http://evil.example"}) {
    EXPECT_EQ(origin_verdict(guard, origin), "foreign_origin") << origin;
  }
}

TEST(OriginGuard, RefusesAForeignHostWhateverItsOrigin) {
  http::Request request;
  request.headers = {{"host", "evil.example"}, {"origin", "http://localhost"}};
  EXPECT_EQ(verdict(OriginGuard(""), request), "foreign_host");
}

TEST(OriginGuard, RefusesAPublicUrlThatIsNone) {
  for (const char* url : {"oriel.example.org", "ftp://oriel.example.org", "https://", "https:///",
                          "https://oriel.example.org/path", "https://oriel.example.org//",
                          "https://a:b", "https://a?b", "https://user@a", " https://a"}) {
    EXPECT_THROW(OriginGuard{url}, std::invalid_argument) << url;
  }
}

}  // namespace
}  // namespace oriel
