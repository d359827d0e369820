#include "mcp/stateless/mirrored_headers.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

using Headers = std::vector<std::pair<std::string, std::string>>;

http::Request with(Headers headers) {
  http::Request http;
  http.headers = std::move(headers);
  return http;
}

json::object object(std::string_view text) {
  return json::parse(text).as_object();
}

testing::AssertionResult is_refused(const std::optional<Refusal>& refusal) {
  if (!refusal) return testing::AssertionFailure() << "it passes";
  if (refusal->status != 400 || refusal->error.code != kHeaderMismatch)
    return testing::AssertionFailure() << refusal->status << " " << refusal->error.code;
  return testing::AssertionSuccess() << refusal->error.message;
}

TEST(HeaderWords, ArePlainTextAsItStandsWithoutTheSpacesAroundIt) {
  EXPECT_EQ(header_words("us-west1"), "us-west1");
  EXPECT_EQ(header_words(" \tfile:///a b\t "), "file:///a b");
  EXPECT_EQ(header_words(""), "");
}

TEST(HeaderWords, AreDecodedBetweenTheMarks) {
  EXPECT_EQ(header_words("=?base64?SGVsbG8=?="), "Hello");
  EXPECT_EQ(header_words("  =?base64?SGVsbG8sIOS4lueVjA==?= "), "Hello, \u4E16\u754C");
  EXPECT_EQ(header_words("=?base64?IHBhZGRlZCA=?="), " padded ");
  EXPECT_EQ(header_words("=?base64?bGluZTEKbGluZTI=?="), "line1\nline2");
  EXPECT_EQ(header_words("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="), "=?base64?literal?=");
  EXPECT_EQ(header_words("=?base64?\?="), "");
}

TEST(HeaderWords, AreNoneIfTheBase64IsNotStrict) {
  EXPECT_EQ(header_words("=?base64?SGVsbG8?="), std::nullopt);
  EXPECT_EQ(header_words("=?base64?SGVs!!!bG8=?="), std::nullopt);
  EXPECT_EQ(header_words("=?base64?literal?="), std::nullopt);
}

TEST(HeaderWords, ArePlainTextIfAMarkIsMissing) {
  EXPECT_EQ(header_words("SGVsbG8="), "SGVsbG8=");
  EXPECT_EQ(header_words("=?base64?SGVsbG8="), "=?base64?SGVsbG8=");
  EXPECT_EQ(header_words("SGVsbG8=?="), "SGVsbG8=?=");
  EXPECT_EQ(header_words("=?base64?="), "=?base64?=");
  EXPECT_EQ(header_words("=?BASE64?SGVsbG8=?="), "=?BASE64?SGVsbG8=?=");
}

TEST(HeaderWords, AreNoneIfTheyCannotStandInAHeader) {
  EXPECT_EQ(header_words("caf\xC3\xA9"), std::nullopt);
  EXPECT_EQ(header_words("a\nb"), std::nullopt);
  EXPECT_EQ(header_words(std::string_view("a\0b", 3)), std::nullopt);
}

TEST(CheckHeader, WantsTheBodysValueOnce) {
  const auto check = [](Headers headers) {
    return check_header(with(std::move(headers)), "Mcp-Method", HeaderCoding::kPlain, "tools/list");
  };
  EXPECT_FALSE(check({{"mcp-method", "tools/list"}}));
  EXPECT_FALSE(check({{"mcp-method", "  tools/list "}}));
  EXPECT_TRUE(is_refused(check({})));
  EXPECT_TRUE(is_refused(check({{"mcp-method", "TOOLS/LIST"}})));
  EXPECT_TRUE(is_refused(check({{"mcp-method", "tools/list"}, {"mcp-method", "tools/list"}})));
  EXPECT_TRUE(is_refused(check({{"mcp-method", "=?base64?dG9vbHMvbGlzdA==?="}})));
}

TEST(CheckHeader, NamesTheHeaderAndTheRemedy) {
  const auto refusal = check_header(with({{"mcp-method", "ping"}}), "Mcp-Method",
                                    HeaderCoding::kPlain, "tools/list");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->error.message,
            "the header Mcp-Method is \"ping\" but the body says \"tools/list\": send both alike");
}

class ParamHeaders : public testing::Test {
 protected:
  std::optional<Refusal> check(Headers headers, std::string_view arguments) const {
    return check_param_headers(with(std::move(headers)), schema_, object(arguments));
  }

  json::object schema_ = object(R"({"type": "object", "properties": {
      "region": {"type": "string", "x-mcp-header": "Region"},
      "limit": {"type": "integer", "x-mcp-header": "Limit"},
      "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
      "query": {"type": "string"},
      "where": {"type": "object", "properties": {
          "zone": {"type": "string", "x-mcp-header": "Zone"}}}}})");
};

// The referee's table.
TEST_F(ParamHeaders, RepeatAStringPlainOrInStrictBase64) {
  EXPECT_FALSE(check({{"mcp-param-region", "=?base64?SGVsbG8=?="}}, R"({"region": "Hello"})"));
  EXPECT_TRUE(
      is_refused(check({{"mcp-param-region", "=?base64?SGVsbG8?="}}, R"({"region": "Hello"})")));
  EXPECT_TRUE(is_refused(
      check({{"mcp-param-region", "=?base64?SGVs!!!bG8=?="}}, R"({"region": "Hello"})")));
  EXPECT_FALSE(check({{"mcp-param-region", "SGVsbG8="}}, R"({"region": "SGVsbG8="})"));
  EXPECT_FALSE(
      check({{"mcp-param-region", "=?base64?SGVsbG8="}}, R"({"region": "=?base64?SGVsbG8="})"));
  EXPECT_TRUE(is_refused(check({}, R"({"region": "Hello"})")));
}

TEST_F(ParamHeaders, MustSayWhatTheArgumentSays) {
  EXPECT_TRUE(is_refused(check({{"mcp-param-region", "hello"}}, R"({"region": "Hello"})")));
  EXPECT_TRUE(is_refused(check({{"mcp-param-region", ""}}, R"({"region": "Hello"})")));
  EXPECT_FALSE(check({{"mcp-param-region", ""}}, R"({"region": ""})"));
  EXPECT_TRUE(is_refused(
      check({{"mcp-param-region", "a"}, {"mcp-param-region", "b"}}, R"({"region": "a"})")));
}

TEST_F(ParamHeaders, AreNotThereForAnArgumentThatIsNot) {
  EXPECT_FALSE(check({}, "{}"));
  EXPECT_FALSE(check({}, R"({"region": null})"));
  EXPECT_TRUE(is_refused(check({{"mcp-param-region", "a"}}, "{}")));
  EXPECT_TRUE(is_refused(check({{"mcp-param-region", "null"}}, R"({"region": null})")));
}

TEST_F(ParamHeaders, CompareIntegersAsNumbers) {
  EXPECT_FALSE(check({{"mcp-param-limit", "42"}}, R"({"limit": 42})"));
  EXPECT_FALSE(check({{"mcp-param-limit", "42.0"}}, R"({"limit": 42})"));
  EXPECT_FALSE(check({{"mcp-param-limit", "42"}}, R"({"limit": 42.0})"));
  EXPECT_FALSE(check({{"mcp-param-limit", "-7"}}, R"({"limit": -7})"));
  EXPECT_FALSE(check({{"mcp-param-limit", "=?base64?NDI=?="}}, R"({"limit": 42})"));
  for (const char* text : {"43", "42x", "42.5", "42.", "", "0x2a", "+42", " 4 2", "nan"})
    EXPECT_TRUE(is_refused(check({{"mcp-param-limit", text}}, R"({"limit": 42})"))) << text;
  EXPECT_TRUE(is_refused(check({{"mcp-param-limit", "42"}}, R"({"limit": 42.5})")));
}

TEST_F(ParamHeaders, HoldIntegersThatADoubleCanHold) {
  EXPECT_FALSE(check({{"mcp-param-limit", "9007199254740991"}}, R"({"limit": 9007199254740991})"));
  EXPECT_FALSE(
      check({{"mcp-param-limit", "-9007199254740991"}}, R"({"limit": -9007199254740991})"));
  for (const std::string number : {"9007199254740992", "-9007199254740992", "18446744073709551615",
                                   "99999999999999999999", "1e300"}) {
    EXPECT_TRUE(is_refused(check({{"mcp-param-limit", number}}, "{\"limit\": " + number + "}")))
        << number;
  }
}

TEST_F(ParamHeaders, SayTrueOrFalseOfABoolean) {
  EXPECT_FALSE(check({{"mcp-param-dry-run", "true"}}, R"({"dry": true})"));
  EXPECT_FALSE(check({{"mcp-param-dry-run", "false"}}, R"({"dry": false})"));
  EXPECT_TRUE(is_refused(check({{"mcp-param-dry-run", "True"}}, R"({"dry": true})")));
  EXPECT_TRUE(is_refused(check({{"mcp-param-dry-run", "1"}}, R"({"dry": true})")));
}

TEST_F(ParamHeaders, ReachIntoPropertiesOfProperties) {
  EXPECT_FALSE(check({{"mcp-param-zone", "b"}}, R"({"where": {"zone": "b"}})"));
  EXPECT_TRUE(is_refused(check({}, R"({"where": {"zone": "b"}})")));
  EXPECT_TRUE(is_refused(check({{"mcp-param-zone", "b"}}, R"({"where": "b"})")));
  EXPECT_FALSE(check({}, R"({"zone": "b"})"));
}

TEST_F(ParamHeaders, RefuseAValueThatNoHeaderCanRepeat) {
  EXPECT_TRUE(is_refused(check({{"mcp-param-region", "[]"}}, R"({"region": []})")));
}

TEST_F(ParamHeaders, ThatNobodyAskedForAreNotRead) {
  EXPECT_FALSE(check({{"mcp-param-other", "=?base64?!?="}}, R"({"query": "SELECT 1"})"));
}

TEST_F(ParamHeaders, AreNotWantedWhereTheAnnotationMayNotStand) {
  schema_ = object(R"({"x-mcp-header": "Root", "properties": {
      "ratio": {"type": "number", "x-mcp-header": "Ratio"},
      "list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}},
      "odd": {"type": "string", "x-mcp-header": 7},
      "bad": true},
      "anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]})");
  EXPECT_FALSE(check({}, R"({"ratio": 1.5, "list": ["x"], "odd": "o", "bad": 1, "a": "a"})"));
}

TEST_F(ParamHeaders, AreNotWantedByASchemaWithoutProperties) {
  schema_ = object(R"({"properties": 3})");
  EXPECT_FALSE(check({{"mcp-param-region", "a"}}, R"({"region": "b"})"));
  schema_ = {};
  EXPECT_FALSE(check({}, R"({"region": "b"})"));
}

TEST(HeaderValue, IsReadAsTheWordsThatItWasMadeOf) {
  for (const std::string words : {"plain", "two words", " spaces around ", "", "gr\xC3\xBC\xC3\x9F",
                                  "line\nbreak", "=?base64?Zm9v?=", "=?base64?!?=", "tab\there"}) {
    EXPECT_EQ(header_words(header_value(words)), words) << words;
  }
  EXPECT_EQ(header_value("session_message"), "session_message");
  EXPECT_EQ(header_value("\xC3\xBC"), "=?base64?w7w=?=");
}

}  // namespace
}  // namespace oriel::mcp
