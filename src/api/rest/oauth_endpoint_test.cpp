#include "api/rest/oauth_endpoint.h"

#include "api/api_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

const std::string kMetadata = "/.well-known/oauth-protected-resource";

class OAuthEndpoint : public ApiFixture {
 protected:
  // The resource of a request with this Host header.
  std::string resource(const OAuthOptions& options, const std::string& host,
                       const std::string& path = kMetadata) {
    router_ = {};
    add_oauth_routes(router_, options);
    headers_ = {{"host", host}};
    return std::string(json_of(send("GET", path)).at("resource").as_string());
  }
};

TEST_F(OAuthEndpoint, TheResourceIsTheUrlThatTheClientUses) {
  EXPECT_EQ(resource({}, "localhost:7433"), "http://localhost:7433");
  EXPECT_EQ(resource({.is_tls = true}, "localhost:7433"), "https://localhost:7433");
  EXPECT_EQ(resource({}, "localhost:7433", kMetadata + "/mcp"), "http://localhost:7433/mcp");
}

TEST_F(OAuthEndpoint, BehindAProxyTheResourceIsThePublicUrl) {
  const OAuthOptions options{.public_url = "https://Oriel.example/"};
  EXPECT_EQ(resource(options, "oriel.EXAMPLE"), "https://Oriel.example");
  EXPECT_EQ(resource(options, "oriel.example", kMetadata + "/mcp"), "https://Oriel.example/mcp");
  EXPECT_EQ(resource(options, "localhost"), "http://localhost");
  EXPECT_EQ(resource(options, "example"), "http://example");
}

TEST_F(OAuthEndpoint, ARegistrationIsRefusedWithTheCommandThatCreatesAToken) {
  add_oauth_routes(router_, {});
  const http::Response response = send("POST", "/register", "{}");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(*response.body, HasSubstr("oriel token create NAME"));
}

}  // namespace
}  // namespace oriel
