#include "http/response.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <stdexcept>

namespace oriel::http {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(SerializeHead, WritesAWholeHead) {
  const Response response = text_response(200, "text/plain", "hello");
  const std::string head = serialize_head(response, 5, true);
  EXPECT_THAT(head,
              MatchesRegex("HTTP/1\\.1 200 OK\r\n"
                           "Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} "
                           "[0-9]{2}:[0-9]{2}:[0-9]{2} GMT\r\n"
                           "Server: oriel\r\n"
                           "Content-Type: text/plain\r\n"
                           "Content-Security-Policy: frame-ancestors 'none'\r\n"
                           "X-Frame-Options: DENY\r\n"
                           "Cross-Origin-Resource-Policy: same-origin\r\n"
                           "X-Content-Type-Options: nosniff\r\n"
                           "Content-Length: 5\r\n"
                           "Connection: keep-alive\r\n"
                           "\r\n"));
}

TEST(SerializeHead, KeepsAContentPolicyOfTheResponse) {
  Response response;
  response.headers.emplace_back("Content-Security-Policy", "sandbox; frame-ancestors 'none'");
  const std::string head = serialize_head(response, 0, true);
  EXPECT_THAT(head, HasSubstr("Content-Security-Policy: sandbox; frame-ancestors 'none'\r\n"));
  EXPECT_EQ(head.find("Content-Security-Policy"), head.rfind("Content-Security-Policy"));
}

TEST(SerializeHead, SaysCloseWhenTheConnectionEndsAfterIt) {
  EXPECT_THAT(serialize_head(Response{}, 0, false), HasSubstr("\r\nConnection: close\r\n"));
}

TEST(SerializeHead, GivesAStreamNoLength) {
  const std::string head = serialize_head(Response{}, std::nullopt, false);
  EXPECT_THAT(head, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
}

TEST(SerializeHead, GivesNoLengthToAnswersWithoutABody) {
  for (const int status : {204, 304}) {
    Response response;
    response.status = status;
    EXPECT_THAT(serialize_head(response, 0, true), Not(HasSubstr("Content-Length"))) << status;
  }
}

TEST(SerializeHead, NamesTheReason) {
  const auto first_line = [](int status) {
    Response response;
    response.status = status;
    const std::string head = serialize_head(response, 0, true);
    return head.substr(0, head.find('\r'));
  };
  EXPECT_EQ(first_line(201), "HTTP/1.1 201 Created");
  EXPECT_EQ(first_line(431), "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(first_line(503), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(first_line(599), "HTTP/1.1 599 Unknown");
}

TEST(SerializeHead, RefusesHeadersThatBreakTheirLine) {
  const std::pair<std::string, std::string> broken[] = {{"X-Name", "a\r\nSet-Cookie: b"},
                                                        {"X-Name", "a\nb"},
                                                        {"X-Name", "a\rb"},
                                                        {"X-Name", std::string("a\0b", 3)},
                                                        {"X-Name\r\nX-Other", "a"},
                                                        {"X Name", "a"},
                                                        {"", "a"}};
  for (const auto& header : broken) {
    Response response;
    response.headers = {header};
    EXPECT_THROW(serialize_head(response, 0, true), std::logic_error) << header.first;
  }
}

TEST(ErrorResponse, IsJsonWithCodeMessageAndHint) {
  const Response response = error_response(
      {.kind = ErrorKind::kInvalidFilter, .message = "types: \"a b\"\n", .hint = "give names"});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.headers.at(0),
            std::pair(std::string("Content-Type"), std::string("application/json")));
  EXPECT_EQ(
      *response.body,
      R"({"error":{"code":"invalid_filter","message":"types: \"a b\"\n","hint":"give names"}})");
}

TEST(JsonResponse, HoldsTheSerializedValue) {
  const Response response = json_response(201, {{"id", "7-abc"}});
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(boost::json::parse(*response.body), boost::json::value({{"id", "7-abc"}}));
}

TEST(Attachment, EncodesTheFileNameForAllClients) {
  EXPECT_EQ(attachment("a b.txt"), "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt");
  EXPECT_EQ(attachment("\xc3\xbc.txt"),
            "attachment; filename=\"__.txt\"; filename*=UTF-8''%C3%BC.txt");
  EXPECT_EQ(attachment("50%.txt"), "attachment; filename=\"50_.txt\"; filename*=UTF-8''50%25.txt");
}

}  // namespace
}  // namespace oriel::http
