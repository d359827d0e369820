#include "auth/origin_guard.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace oriel {
namespace {

// "passes", or the code of the error.
std::string verdict(const OriginGuard& guard, const http::Request& request) {
  const auto checked = guard.check(request, false);
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
  const OriginGuard guard({});
  for (const char* host :
       {"localhost", "localhost:7433", "LocalHost:1", "oriel.localhost", "a.b.localhost:65535",
        "127.0.0.1", "127.0.0.1:80", "127.255.0.9", "[::1]", "[::1]:7433", "[0:0:0:0:0:0:0:1]"}) {
    EXPECT_EQ(host_verdict(guard, host), "passes") << host;
  }
}

TEST(OriginGuard, RefusesForeignHosts) {
  const OriginGuard guard({});
  for (const char* host :
       {"evil.example", "evil.example:7433", "localhost.evil.example", "xlocalhost", "128.0.0.1",
        "127.1", "2130706433", "0x7f.0.0.1", "127.0.0.1.evil.example", "192.168.1.1:7433", "[::2]",
        "[::ffff:127.0.0.1]", "0.0.0.0"}) {
    EXPECT_EQ(host_verdict(guard, host), "foreign_host") << host;
  }
}

TEST(OriginGuard, CallsAMissingOrMalformedHostBad) {
  const OriginGuard guard({});
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
  const OriginGuard guard({.public_url = "https://Oriel.example.org/"});
  EXPECT_EQ(host_verdict(guard, "oriel.example.org"), "passes");
  EXPECT_EQ(host_verdict(guard, "ORIEL.example.org:443"), "passes");
  EXPECT_EQ(host_verdict(guard, "oriel.example.org:80"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "oriel.example.org:7433"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "x.oriel.example.org"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "localhost:7433"), "passes");
}

TEST(OriginGuard, PassesThePortOfThePublicUrlAlone) {
  const OriginGuard guard({.public_url = "http://[2001:DB8::0:1]:8443"});
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]:8443"), "passes");
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]"), "foreign_host");
  EXPECT_EQ(host_verdict(guard, "[2001:db8::1]:80"), "foreign_host");
}

std::string page_verdict(const OriginGuard& guard, std::string host, std::string origin) {
  http::Request request;
  request.headers = {{"host", std::move(host)}, {"origin", std::move(origin)}};
  return verdict(guard, request);
}

TEST(R_AUTH_5, PassesOwnPagesOnly) {
  const OriginGuard guard({.public_url = "https://oriel.example.org"});
  const std::string refused = "foreign_origin";
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "http://localhost:7433"), "passes");
  EXPECT_EQ(page_verdict(guard, "127.0.0.1:7433", "http://127.0.0.1:7433"), "passes");
  EXPECT_EQ(page_verdict(guard, "[::1]:7433", "http://[::1]:7433"), "passes");
  EXPECT_EQ(page_verdict(guard, "localhost", "http://localhost:80"), "passes");
  EXPECT_EQ(page_verdict(guard, "oriel.example.org", "HTTPS://ORIEL.example.org"), "passes");
  EXPECT_EQ(page_verdict(guard, "oriel.example.org", "https://oriel.example.org:443"), "passes");
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "http://localhost:3000"), refused);
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "http://127.0.0.1:7433"), refused);
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "https://localhost:7433"), refused);
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "https://oriel.example.org"), refused);
  EXPECT_EQ(page_verdict(guard, "oriel.example.org", "http://localhost:7433"), refused);
}

TEST(R_AUTH_5, PagesOfATlsServerHaveHttpsUrls) {
  const OriginGuard guard({.is_tls = true});
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "https://localhost:7433"), "passes");
  EXPECT_EQ(page_verdict(guard, "localhost:7433", "http://localhost:7433"), "foreign_origin");
}

TEST(R_AUTH_5, PassesAllowedOriginsAsForeignPages) {
  const OriginGuard guard({.allowed_origins = {"https://app.example/"}});
  http::Request request;
  request.headers = {{"host", "localhost"}, {"origin", "https://app.example"}};
  EXPECT_TRUE(guard.check(request, false).value().is_foreign_page);
  EXPECT_EQ(page_verdict(guard, "localhost", "https://app.example:8443"), "foreign_origin");
}

TEST(R_AUTH_5, FetchMetadataOfAnotherSiteIsRefused) {
  const OriginGuard guard({});
  http::Request request;
  request.method = "GET";
  request.headers = {{"host", "localhost"}, {"sec-fetch-site", "same-origin"}};
  EXPECT_EQ(verdict(guard, request), "passes");
  request.headers[1].second = "none";
  EXPECT_EQ(verdict(guard, request), "passes");
  for (const char* site : {"cross-site", "same-site"}) {
    request.headers[1].second = site;
    EXPECT_EQ(verdict(guard, request), "foreign_origin") << site;
    EXPECT_FALSE(guard.check(request, true)) << site;
  }
}

TEST(R_AUTH_5, AnySiteMayLinkToThePageButNotFrameIt) {
  const OriginGuard guard({});
  http::Request request;
  request.method = "GET";
  request.headers = {{"host", "localhost"},
                     {"sec-fetch-site", "cross-site"},
                     {"sec-fetch-mode", "navigate"},
                     {"sec-fetch-dest", "document"}};
  EXPECT_TRUE(guard.check(request, true));
  EXPECT_FALSE(guard.check(request, false));
  request.headers[3].second = "iframe";
  EXPECT_FALSE(guard.check(request, true));
}

TEST(OriginGuard, RefusesForeignPages) {
  const OriginGuard guard({.public_url = "https://oriel.example.org"});
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
  EXPECT_EQ(verdict(OriginGuard({}), request), "foreign_host");
}

TEST(OriginGuard, RefusesAPublicUrlThatIsNone) {
  for (const char* url : {"oriel.example.org", "ftp://oriel.example.org", "https://", "https:///",
                          "https://oriel.example.org/path", "https://oriel.example.org//",
                          "https://a:b", "https://a?b", "https://user@a", " https://a"}) {
    EXPECT_THROW(OriginGuard({.public_url = url}), std::invalid_argument) << url;
    EXPECT_THROW(OriginGuard({.allowed_origins = {url}}), std::invalid_argument) << url;
  }
}

}  // namespace
}  // namespace oriel
