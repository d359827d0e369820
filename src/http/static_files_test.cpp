#include "http/static_files.h"

#include <gmock/gmock.h>

namespace oriel::http {
namespace {

using testing::Contains;
using testing::Pair;

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

Request request_knowing(std::string etags) {
  Request request;
  request.headers = {{"if-none-match", std::move(etags)}};
  return request;
}

TEST(StaticFile, GivesItsContentAndTag) {
  const StaticFile file("text/javascript", "let a;");
  const Response response = file.respond(Request{});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(*response.body, "let a;");
  EXPECT_THAT(response.headers, Contains(Pair("Content-Type", "text/javascript")));
  EXPECT_THAT(response.headers, Contains(Pair("Cache-Control", "no-cache")));
  EXPECT_THAT(header_of(response, "ETag"), testing::MatchesRegex("\"[0-9a-f]{32}\""));
}

TEST(StaticFile, SharesItsContentAmongAnswers) {
  const StaticFile file("text/plain", "a");
  EXPECT_EQ(file.respond(Request{}).body, file.respond(Request{}).body);
}

TEST(StaticFile, HasAnotherTagForOtherContent) {
  const StaticFile a("text/plain", "a");
  const StaticFile b("text/plain", "b");
  EXPECT_NE(header_of(a.respond(Request{}), "ETag"), header_of(b.respond(Request{}), "ETag"));
}

TEST(StaticFile, IsNotSentToWhoHasIt) {
  const StaticFile file("text/plain", "a");
  const std::string etag = header_of(file.respond(Request{}), "ETag");
  for (const std::string& known : {etag, "W/" + etag, "\"x\", " + etag + " , \"y\"",
                                   "\"x\"," + etag, std::string("*"), std::string(" * ")}) {
    const Response response = file.respond(request_knowing(known));
    EXPECT_EQ(response.status, 304) << known;
    EXPECT_EQ(response.body, nullptr);
    EXPECT_EQ(header_of(response, "ETag"), etag);
  }
}

TEST(StaticFile, IsSentToWhoHasSomethingElse) {
  const StaticFile file("text/plain", "a");
  const std::string etag = header_of(file.respond(Request{}), "ETag");
  for (const std::string& known : {std::string(), std::string("\"x\""), etag.substr(1, 32),
                                   etag + "x", std::string(",,"), "\"*\"" + std::string(", W/")}) {
    EXPECT_EQ(file.respond(request_knowing(known)).status, 200) << known;
  }
}

}  // namespace
}  // namespace oriel::http
