#include "cli/mcp/mcp_reply.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;
using Texts = std::vector<std::string>;

HttpResponse answer(int status, std::string type = {}, std::string body = {}) {
  return {
      .status = status, .headers = {{"content-type", std::move(type)}}, .body = std::move(body)};
}

TEST(McpReply, ForwardsMessagesUntilTheResponse) {
  McpReply reply({1});
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/message"})";
  EXPECT_EQ(reply.take(note).line, note);
  EXPECT_FALSE(reply.is_complete());
  const auto taken = reply.take(R"({"jsonrpc":"2.0","id":1,"result":{"a":2}})");
  EXPECT_EQ(taken.line, R"({"jsonrpc":"2.0","id":1,"result":{"a":2}})");
  ASSERT_EQ(taken.answers.size(), 1U);
  EXPECT_EQ(taken.answers[0].result.value(), (json::object{{"a", 2}}));
  EXPECT_TRUE(reply.is_complete());
}

TEST(McpReply, ForwardsEachResponseOnce) {
  McpReply reply({1});
  const std::string text = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  EXPECT_EQ(reply.take(text).line, text);
  EXPECT_EQ(reply.take(text).line, "");
  EXPECT_EQ(reply.take(R"({"jsonrpc":"2.0","id":2,"result":{}})").line, "");
}

TEST(McpReply, ForwardsARequestOfTheServerWithTheSameId) {
  McpReply reply({1});
  const std::string ask = R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})";
  EXPECT_EQ(reply.take(ask).line, ask);
  EXPECT_FALSE(reply.is_complete());
}

TEST(McpReply, IsOneLine) {
  McpReply reply({"x"});
  EXPECT_EQ(reply.take("{\n \"jsonrpc\":\"2.0\",\r\n\"id\":\"x\",\"result\":{}\n}").line,
            "{  \"jsonrpc\":\"2.0\",  \"id\":\"x\",\"result\":{} }");
}

TEST(McpReply, DropsWhatIsNotJsonRpc) {
  McpReply reply({1});
  for (const char* text : {"hello", "{}", "[]", "3", R"({"jsonrpc":"2.0","id":1})"}) {
    EXPECT_FALSE(reply.take(text).is_message) << text;
    EXPECT_EQ(reply.take(text).line, "") << text;
  }
}

TEST(McpReply, OfABatchIsCompleteWithAllItsResponses) {
  McpReply reply({1, 2});
  const std::string both =
      R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}])";
  EXPECT_EQ(reply.take(both).line, both);
  EXPECT_TRUE(reply.is_complete());
}

TEST(McpReply, FailsEachPendingRequestOnce) {
  McpReply reply({1, "two"});
  reply.take(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  const mcp::RpcError error{.code = -32000, .message = "away", .data = {}};
  EXPECT_EQ(reply.fail(error),
            Texts{R"({"jsonrpc":"2.0","id":"two","error":{"code":-32000,"message":"away"}})"});
  EXPECT_TRUE(reply.fail(error).empty());
}

TEST(AfterPost, DependsOnStatusAndType) {
  EXPECT_EQ(after_post(answer(200, "text/event-stream")), AfterPost::kStream);
  EXPECT_EQ(after_post(answer(200, "application/json; charset=utf-8")), AfterPost::kBody);
  EXPECT_EQ(after_post(answer(200, "text/html")), AfterPost::kRefused);
  EXPECT_EQ(after_post(answer(202)), AfterPost::kAccepted);
  EXPECT_EQ(after_post(answer(404)), AfterPost::kGone);
  EXPECT_EQ(after_post(answer(400)), AfterPost::kRefused);
  EXPECT_EQ(after_post(answer(503)), AfterPost::kRefused);
}

TEST(AfterGet, DistinguishesLossFromRetry) {
  EXPECT_EQ(after_get(answer(200, "text/event-stream")), AfterGet::kStream);
  EXPECT_EQ(after_get(answer(200, "text/html")), AfterGet::kRefused);
  EXPECT_EQ(after_get(answer(204)), AfterGet::kDone);
  EXPECT_EQ(after_get(answer(401)), AfterGet::kRefused);
  EXPECT_EQ(after_get(answer(404)), AfterGet::kGone);
  EXPECT_EQ(after_get(answer(405)), AfterGet::kNone);
  EXPECT_EQ(after_get(answer(409)), AfterGet::kTaken);
  EXPECT_EQ(after_get(answer(410)), AfterGet::kPurged);
  EXPECT_EQ(after_get(answer(429)), AfterGet::kRetry);
  EXPECT_EQ(after_get(answer(503)), AfterGet::kRetry);
}

TEST(RejectionError, IsTheServersOwnIfItSentOne) {
  const mcp::RpcError error = rejection_error(answer(
      410, "application/json",
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32010,"message":"m","data":{"oldest":3}}})"));
  EXPECT_EQ(error.code, mcp::kEventsPurged);
  EXPECT_EQ(error.message, "m");
  EXPECT_EQ(error.data, (json::value{{"oldest", 3}}));
}

TEST(RejectionError, OtherwiseHasAHint) {
  EXPECT_EQ(rejection_error(answer(401)).code, kConnectionError);
  EXPECT_EQ(rejection_error(answer(401)).message,
            "the server answered 401; set a token with --token or ORIEL_TOKEN; oriel token create "
            "NAME creates one");
  EXPECT_EQ(rejection_error(answer(404)).message,
            "the server answered 404: not an Oriel server with MCP; --url (ORIEL_URL) names the "
            "server");
}

TEST(R_STREAM_2, AnIdNamesItsStream) {
  EXPECT_TRUE(is_same_stream("s-a-n-1-4", "s-a-n-1-5"));
  EXPECT_FALSE(is_same_stream("s-a-n-1-4", "s-b-n--1"));
  EXPECT_TRUE(is_same_stream("other", "s-b-n--1"));
}

}  // namespace
}  // namespace oriel
