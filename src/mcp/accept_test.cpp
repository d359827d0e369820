#include "mcp/accept.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

http::Request accepting(std::vector<std::string> values) {
  http::Request http;
  http.headers.emplace_back("content-type", "application/json");
  for (std::string& value : values)
    http.headers.emplace_back("accept", std::move(value));
  return http;
}

bool takes_json(std::string value) {
  return accepts(accepting({std::move(value)}), "application/json");
}

bool takes_stream(std::string value) {
  return accepts(accepting({std::move(value)}), "text/event-stream");
}

TEST(Accepts, TakesWhatIsNamed) {
  EXPECT_TRUE(takes_json("application/json"));
  EXPECT_TRUE(takes_json("application/json, text/event-stream"));
  EXPECT_TRUE(takes_stream("application/json,text/event-stream"));
  EXPECT_TRUE(takes_stream(" \ttext/event-stream , text/html"));
}

TEST(Accepts, TakesNothingElse) {
  EXPECT_FALSE(takes_stream("application/json"));
  EXPECT_FALSE(takes_json("text/event-stream"));
  EXPECT_FALSE(takes_json("application/jsonl"));
  EXPECT_FALSE(takes_json("application"));
  EXPECT_FALSE(takes_json("application/jso*"));
}

TEST(Accepts, TakesWhatAWildcardCovers) {
  EXPECT_TRUE(takes_json("*/*"));
  EXPECT_TRUE(takes_stream("text/html, */*;q=0.1"));
  EXPECT_TRUE(takes_json("application/*"));
  EXPECT_FALSE(takes_stream("application/*"));
  EXPECT_FALSE(takes_json("app/*"));
}

TEST(Accepts, DoesNotCareForTheCaseOfLetters) {
  EXPECT_TRUE(takes_json("Application/JSON"));
  EXPECT_FALSE(takes_json("Application/JSON;Q=0"));
}

TEST(Accepts, IgnoresParametersOtherThanARefusal) {
  EXPECT_TRUE(takes_json("application/json; charset=utf-8"));
  EXPECT_TRUE(takes_json("application/json;q=0.001"));
  EXPECT_TRUE(takes_json("application/json;q=1.0"));
  EXPECT_FALSE(takes_json("application/json;q=0"));
  EXPECT_FALSE(takes_json("application/json; charset=utf-8; q=0.000"));
}

TEST(Accepts, FollowsTheMostExactRange) {
  EXPECT_FALSE(takes_stream("text/event-stream;q=0, */*"));
  EXPECT_FALSE(takes_stream("*/*, text/event-stream;q=0"));
  EXPECT_TRUE(takes_stream("*/*;q=0, text/event-stream"));
  EXPECT_FALSE(takes_stream("*/*, text/*;q=0"));
}

TEST(Accepts, TakesEverythingIfNothingIsSaid) {
  EXPECT_TRUE(accepts(accepting({}), "application/json"));
  EXPECT_TRUE(takes_json(""));
  EXPECT_TRUE(takes_json(" , "));
}

TEST(Accepts, ReadsEveryAcceptHeader) {
  const http::Request http = accepting({"application/json", "text/event-stream"});
  EXPECT_TRUE(accepts(http, "application/json"));
  EXPECT_TRUE(accepts(http, "text/event-stream"));
  EXPECT_FALSE(accepts(http, "text/html"));
}

}  // namespace
}  // namespace oriel::mcp
