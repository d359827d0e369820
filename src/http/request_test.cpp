#include "http/request.h"

#include <gtest/gtest.h>

namespace oriel::http {
namespace {

TEST(Request, GivesTheFirstHeaderOfAName) {
  Request request;
  request.headers = {{"accept", "text/html"}, {"x-id", "1"}, {"x-id", "2"}};
  EXPECT_EQ(request.header("x-id"), "1");
}

TEST(Request, DistinguishesAnEmptyHeaderFromNone) {
  Request request;
  request.headers = {{"x-id", ""}};
  EXPECT_EQ(request.header("x-id"), "");
  EXPECT_EQ(request.header("x-other"), std::nullopt);
}

TEST(Request, GivesPathParametersByName) {
  Request request;
  request.path_params = {{"id", "7"}};
  EXPECT_EQ(request.path_param("id"), "7");
  EXPECT_EQ(request.path_param("other"), "");
}

TEST(Request, TheAddressIsThePeerWithoutItsPortOrUser) {
  Request request;
  for (const auto& [peer, address] :
       {std::pair("127.0.0.1:50412", "127.0.0.1"), std::pair("[::1]:50412", "[::1]"),
        std::pair("unix:1000", "unix")}) {
    request.peer = peer;
    EXPECT_EQ(request.address(), address);
  }
}

}  // namespace
}  // namespace oriel::http
