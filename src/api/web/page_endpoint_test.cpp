#include "api/web/page_endpoint.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

using testing::HasSubstr;

class PageEndpointTest : public ApiFixture {
 protected:
  PageEndpointTest() { endpoint_.add_routes(router_); }

  static std::string header_of(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  PageEndpoint endpoint_;
};

TEST_F(PageEndpointTest, ServesThePageWithoutAToken) {
  const auto found = router_.find("GET", "/");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->route->scope);
  const http::Response page = send("GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(header_of(page, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(*page.body, HasSubstr("<script"));
}

TEST_F(PageEndpointTest, ForbidsForeignScriptsAndFrames) {
  for (const char* path :
       {"/", "/app.js", "/app.css", "/favicon.svg", "/oriel.js", "/oriel.d.ts"}) {
    const http::Response response = send("GET", path);
    const std::string policy = header_of(response, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'")) << path;
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'")) << path;
    EXPECT_EQ(header_of(response, "Referrer-Policy"), "no-referrer") << path;
  }
}

TEST_F(PageEndpointTest, ServesNothingElse) {
  EXPECT_EQ(send("GET", "/index.html").status, 404);
  EXPECT_EQ(send("GET", "/app.js.map").status, 404);
}

}  // namespace
}  // namespace oriel
