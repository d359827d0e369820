#include "client/server_access.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

HttpResponse answer_with(int status, std::string body) {
  return {.status = status, .headers = {}, .body = std::move(body)};
}

TEST(ServerAccess, SendsItsTokenAsBearer) {
  const ServerAccess access{.url = http::parse_url("http://localhost:7433").value(), .token = "t"};
  const HttpRequest request = make_request(access, "GET", "/health");
  ASSERT_EQ(request.headers.size(), 1U);
  EXPECT_EQ(request.headers[0], std::pair(std::string("Authorization"), std::string("Bearer t")));
}

TEST(ServerAccess, SendsNoEmptyToken) {
  const ServerAccess access{.url = http::parse_url("http://localhost").value(), .token = ""};
  EXPECT_TRUE(make_request(access, "GET", "/health").headers.empty());
}

TEST(ServerAccess, ReturnsTheServersMessageAndHint) {
  const Error error = response_error(answer_with(
      400, R"({"error":{"code":"invalid_filter","message":"types is empty","hint":"name one"}})"));
  EXPECT_EQ(error.kind, ErrorKind::kInvalidFilter);
  EXPECT_EQ(error.message, "the server answered 400: types is empty");
  EXPECT_EQ(error.hint, "name one");
}

TEST(ServerAccess, AcceptsAnUnknownCode) {
  const Error error = response_error(
      answer_with(418, R"({"error":{"code":"teapot","message":"short and stout"}})"));
  EXPECT_EQ(error.kind, ErrorKind::kUnknown);
  EXPECT_EQ(error.message, "the server answered 418: short and stout");
}

TEST(ServerAccess, RemovesControlCharacters) {
  const Error error = response_error(answer_with(400, R"({"error":{"message":"\u001b[2J"}})"));
  EXPECT_EQ(error.message, "the server answered 400: \\x1b[2J");
}

TEST(ServerAccess, ReturnsTheStatusWithoutAMessage) {
  for (const char* body :
       {"", "<html>", "[]", "{}", R"({"error":"no"})", R"({"error":{"message":1}})"}) {
    EXPECT_EQ(response_error(answer_with(502, body)).message, "the server answered 502") << body;
  }
}

TEST(ServerAccess, ExplainsHowToSetAToken) {
  const char* const body = R"({"error":{"message":"no token","hint":"send a header"}})";
  EXPECT_EQ(response_error(answer_with(401, body)).message, "the server answered 401: no token");
  EXPECT_EQ(response_error(answer_with(401, body)).hint,
            "set a token with --token or ORIEL_TOKEN; oriel token create NAME creates one");
}

TEST(ServerAccess, NamesTheTargetOfARedirect) {
  HttpResponse answer = answer_with(301, "");
  answer.headers.emplace_back("location", "https://example.org/");
  EXPECT_EQ(response_error(answer).hint,
            "redirects are not followed; it points to https://example.org/");
}

}  // namespace
}  // namespace oriel
