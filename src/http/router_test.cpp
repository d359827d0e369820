#include "http/router.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <gmock/gmock.h>

#include <stdexcept>

namespace oriel::http {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Route route(std::string method, std::string pattern) {
  Route result;
  result.method = std::move(method);
  result.pattern = std::move(pattern);
  return result;
}

Router router_of(std::initializer_list<Route> routes) {
  Router router;
  for (const Route& each : routes)
    router.add(each);
  return router;
}

std::string pattern_for(const Router& router, std::string_view method, std::string_view path) {
  const auto found = router.find(method, path);
  return found ? found->route->pattern : "answer " + std::to_string(found.error().status);
}

std::string error_code_of(const Response& response) {
  return boost::json::value_to<std::string>(
      boost::json::parse(*response.body).at("error").at("code"));
}

TEST(Router, FindsARouteByMethodAndPath) {
  const Router router =
      router_of({route("GET", "/"), route("GET", "/api/events"), route("POST", "/api/events")});
  EXPECT_EQ(pattern_for(router, "GET", "/"), "/");
  const auto found = router.find("POST", "/api/events");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->route->method, "POST");
  EXPECT_THAT(found->path_params, IsEmpty());
}

TEST(Router, GivesTheParametersOfThePath) {
  const Router router = router_of({route("GET", "/p/{project}/pages/{number}")});
  const auto found = router.find("GET", "/p/a b/pages/18446744073709551615");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->path_params,
              ElementsAre(Pair("project", "a b"), Pair("number", "18446744073709551615")));
}

TEST(Router, PrefersTheLiteral) {
  const Router router =
      router_of({route("GET", "/c/{id}"), route("GET", "/{x}/me"), route("GET", "/c/me")});
  EXPECT_EQ(pattern_for(router, "GET", "/c/me"), "/c/me");
  EXPECT_EQ(pattern_for(router, "GET", "/d/me"), "/{x}/me");
  EXPECT_EQ(pattern_for(router, "GET", "/c/you"), "/c/{id}");
}

TEST(Router, ServesHeadByTheRouteOfGet) {
  const Router router = router_of({route("GET", "/a"), route("POST", "/b")});
  EXPECT_EQ(pattern_for(router, "HEAD", "/a"), "/a");
  EXPECT_EQ(pattern_for(router, "HEAD", "/b"), "answer 405");
}

TEST(Router, Answers404ForAnUnknownPath) {
  const Router router = router_of({route("GET", "/api/clients/{id}")});
  for (const std::string_view path : {"/", "/api", "/api/clients", "/api/clients/",
                                      "/api/clients/a/b", "/API/clients/a", "", "api"}) {
    const auto found = router.find("GET", path);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().status, 404);
    EXPECT_EQ(error_code_of(found.error()), "not_found");
  }
}

TEST(Router, Answers405WithTheMethodsThatAreAllowed) {
  const Router router =
      router_of({route("POST", "/a"), route("GET", "/a"), route("DELETE", "/{x}")});
  const auto found = router.find("PUT", "/a");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().status, 405);
  EXPECT_EQ(error_code_of(found.error()), "method_not_allowed");
  EXPECT_THAT(found.error().headers, Contains(Pair("Allow", "DELETE, GET, HEAD, POST")));
}

TEST(Router, MatchesMethodsExactly) {
  const Router router = router_of({route("GET", "/a")});
  EXPECT_EQ(pattern_for(router, "get", "/a"), "answer 405");
}

TEST(Router, RefusesMalformedPatterns) {
  for (const char* pattern : {"", "a", "/{", "/{}", "/a{b}", "/{b}c", "/{a:int}", "/{:uint}", "/{a",
                              "/a}", "/{a b}", "/{{a}}"}) {
    Router router;
    EXPECT_THROW(router.add(route("GET", pattern)), std::logic_error) << pattern;
  }
}

TEST(Router, RefusesTwoRoutesForTheSameRequests) {
  Router router = router_of({route("GET", "/a/{id}")});
  EXPECT_THROW(router.add(route("GET", "/a/{name}")), std::logic_error);
  EXPECT_NO_THROW(router.add(route("DELETE", "/a/{name}")));
  EXPECT_NO_THROW(router.add(route("GET", "/a/me")));
}

TEST(Router, RefusesARouteForHead) {
  Router router;
  EXPECT_THROW(router.add(route("HEAD", "/a")), std::logic_error);
}

}  // namespace
}  // namespace oriel::http
