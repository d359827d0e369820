#include "api/json_body.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

http::Request with_body(std::string body) {
  http::Request request;
  request.headers = {{"content-type", "Application/JSON; charset=utf-8"}};
  request.body = std::move(body);
  return request;
}

std::string refusal_of(const JsonBody& body) {
  return body.refusal() ? *body.refusal()->body : "";
}

TEST(JsonBody, ReadsKnownKeys) {
  JsonBody body(with_body(R"({"text":"a","name":"b","list":["c","d"],"word":"yes"})"),
                {"text", "name", "list", "word", "absent"});
  EXPECT_EQ(body.text("text"), "a");
  EXPECT_EQ(body.name("name"), "b");
  EXPECT_THAT(body.texts("list"), ElementsAre("c", "d"));
  EXPECT_EQ(body.choice("word", {"yes", "no"}), "yes");
  EXPECT_EQ(body.text("absent"), "");
  EXPECT_EQ(refusal_of(body), "");
}

TEST(JsonBody, AnEmptyBodyIsAnEmptyObject) {
  const JsonBody body(http::Request{}, {"a"});
  EXPECT_FALSE(body.has("a"));
  EXPECT_FALSE(body.refusal());
}

TEST(JsonBody, NamesTheFirstError) {
  JsonBody body(with_body(R"({"name":"a b","list":[1],"word":"maybe"})"), {"name", "list", "word"});
  body.name("name");
  body.texts("list");
  body.choice("word", {"yes", "no"});
  EXPECT_EQ(body.refusal()->status, 400);
  EXPECT_THAT(refusal_of(body), HasSubstr("a b"));
}

TEST(JsonBody, RejectsOtherTypesAndUnknownKeys) {
  EXPECT_THAT(refusal_of(JsonBody(with_body("{"), {})), HasSubstr("not JSON"));
  EXPECT_THAT(refusal_of(JsonBody(with_body("[]"), {})), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal_of(JsonBody(with_body(R"({"other":1})"), {"a", "b"})), HasSubstr("a, b"));
  http::Request plain = with_body("{}");
  plain.headers.clear();
  EXPECT_EQ(JsonBody(plain, {}).refusal()->status, 415);
}

}  // namespace
}  // namespace oriel
