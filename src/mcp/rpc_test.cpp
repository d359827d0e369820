#include "mcp/rpc.h"

#include "base/text/json_text.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <stdexcept>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

template <class Message>
Message only(std::string_view bytes) {
  const auto body = parse_rpc(bytes);
  if (!body) throw std::runtime_error(body.error().error.message);
  if (body->is_batch || body->messages.size() != 1) throw std::runtime_error("not one message");
  return std::get<Message>(body->messages[0]);
}

// What parsing refuses; a failed test if it does not.
RpcFault fault_of(std::string_view bytes, std::size_t max_batch = 100) {
  const auto body = parse_rpc(bytes, max_batch);
  EXPECT_FALSE(body) << bytes;
  return body ? RpcFault{} : body.error();
}

TEST(Rpc, ARequestHasIdMethodAndParams) {
  const auto request = only<RpcRequest>(
      R"( {"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x"}} )");
  EXPECT_EQ(request.id, json::value("a"));
  EXPECT_EQ(request.method, "tools/call");
  EXPECT_EQ(json_text(request.params), R"({"name":"x"})");
}

TEST(Rpc, ANotificationHasNoId) {
  const auto notification =
      only<RpcNotification>(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(notification.method, "notifications/initialized");
  EXPECT_TRUE(notification.params.empty());
}

TEST(Rpc, NoParamsAreEmptyParams) {
  EXPECT_TRUE(only<RpcRequest>(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").params.empty());
}

TEST(Rpc, AResponseHasAResultOrAnError) {
  const auto response = only<RpcResponse>(R"({"jsonrpc":"2.0","id":7,"result":{"roots":[]}})");
  EXPECT_EQ(response.id, json::value(7));
  ASSERT_TRUE(response.result);
  EXPECT_EQ(json_text(*response.result), R"({"roots":[]})");

  const auto refused = only<RpcResponse>(
      R"({"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no","data":[1]}})");
  ASSERT_FALSE(refused.result);
  EXPECT_EQ(refused.result.error().code, kMethodNotFound);
  EXPECT_EQ(refused.result.error().message, "no");
  EXPECT_EQ(json_text(refused.result.error().data), "[1]");
}

TEST(Rpc, AnIdIsGivenBackAsItCame) {
  for (const char* id : {"0", "-1", "9007199254740993", "18446744073709551615",
                         "-9223372036854775808", "1.5", R"("")", R"("7")", R"("ü\n\u0000")"}) {
    const auto request =
        only<RpcRequest>(std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}");
    EXPECT_EQ(rpc_result(request.id, {}),
              std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":{}})");
  }
}

TEST(Rpc, AnIdOfAnotherKindIsRefusedUnderNull) {
  for (const char* id : {"null", "true", "[]", "{}", "1e999", "[1]"}) {
    const RpcFault fault =
        fault_of(std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}");
    EXPECT_EQ(fault.error.code, kInvalidRequest) << id;
    EXPECT_TRUE(fault.id.is_null()) << id;
  }
}

TEST(Rpc, BytesThatAreNotJsonAreAParseError) {
  for (const char* bytes :
       {"", " ", "{", "}", "{}{}", R"({"jsonrpc":"2.0",})", "nul", "\"\xFF\"",
        "{\"jsonrpc\":\"2.0\",\"method\":\"\xC0\x80\"}", "\"\\ud83d\"", "\xEF\xBB\xBF{}"}) {
    const RpcFault fault = fault_of(bytes);
    EXPECT_EQ(fault.error.code, kParseError) << bytes;
    EXPECT_FALSE(fault.error.message.empty());
    EXPECT_TRUE(fault.id.is_null());
  }
}

TEST(Rpc, JsonThatIsNoMessageIsRefusedUnderItsId) {
  for (const char* members :
       {R"("jsonrpc":"2.0")", R"("jsonrpc":"1.0","method":"a")", R"("jsonrpc":2,"method":"a")",
        R"("method":"a")", R"("jsonrpc":"2.0","method":1)",
        R"("jsonrpc":"2.0","method":"a","params":[])",
        R"("jsonrpc":"2.0","method":"a","params":null)",
        R"("jsonrpc":"2.0","method":"a","result":{})",
        R"("jsonrpc":"2.0","result":{},"error":{"code":1,"message":"a"})",
        R"("jsonrpc":"2.0","result":1)", R"("jsonrpc":"2.0","error":1)",
        R"("jsonrpc":"2.0","error":{"code":1})", R"("jsonrpc":"2.0","error":{"message":"a"})",
        R"("jsonrpc":"2.0","error":{"code":1.5,"message":"a"})",
        R"("jsonrpc":"2.0","error":{"code":99999999999,"message":"a"})"}) {
    const RpcFault fault = fault_of(std::string(R"({"id":5,)") + members + "}");
    EXPECT_EQ(fault.error.code, kInvalidRequest) << members;
    EXPECT_EQ(fault.id, json::value(5)) << members;
  }
}

TEST(Rpc, AValueThatIsNoObjectIsNoMessage) {
  for (const char* bytes : {"1", "null", "\"x\"", "true", "[1]", "[[]]"})
    EXPECT_EQ(fault_of(bytes).error.code, kInvalidRequest) << bytes;
}

TEST(Rpc, AResponseWithoutIdIsRefused) {
  EXPECT_EQ(fault_of(R"({"jsonrpc":"2.0","result":{}})").error.code, kInvalidRequest);
}

TEST(Rpc, OfTwoMembersWithOneNameTheLastCounts) {
  EXPECT_EQ(
      only<RpcRequest>(R"({"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"method":"ping"})").id,
      json::value(2));
}

TEST(Rpc, DeepNestingIsTakenUpToALimit) {
  const auto nested = [](std::size_t depth) {
    return R"({"jsonrpc":"2.0","method":"a","params":{"x":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}}";
  };
  EXPECT_TRUE(parse_rpc(nested(100)));
  EXPECT_EQ(fault_of(nested(1'000'000)).error.code, kParseError);
}

TEST(Rpc, ABatchHoldsItsMessagesInOrder) {
  const auto body =
      parse_rpc(R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"method":"b"}])");
  ASSERT_TRUE(body);
  EXPECT_TRUE(body->is_batch);
  ASSERT_EQ(body->messages.size(), 2u);
  EXPECT_EQ(std::get<RpcNotification>(body->messages[0]).method, "a");
  EXPECT_EQ(std::get<RpcRequest>(body->messages[1]).method, "b");
}

TEST(Rpc, ABatchThatIsEmptyOrTooLargeIsRefused) {
  const std::string two = R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}])";
  EXPECT_EQ(fault_of("[]").error.code, kInvalidRequest);
  EXPECT_EQ(fault_of(two, 1).error.code, kInvalidRequest);
  EXPECT_TRUE(parse_rpc(two, 2));
}

TEST(Rpc, ABatchWithSomethingElseInItIsRefusedAsAWhole) {
  const RpcFault fault = fault_of(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"id":2}])");
  EXPECT_EQ(fault.error.code, kInvalidRequest);
  EXPECT_THAT(fault.error.message, HasSubstr("message 2 of the batch"));
  EXPECT_TRUE(fault.id.is_null());
}

TEST(Rpc, WhatIsSaidIsOneLine) {
  EXPECT_EQ(rpc_request(3, "roots/list", {}), R"({"jsonrpc":"2.0","id":3,"method":"roots/list"})");
  EXPECT_EQ(rpc_notification("a\nb", {{"x", "1\r\n2"}, {"y", 1.5}}),
            R"({"jsonrpc":"2.0","method":"a\nb","params":{"x":"1\r\n2","y":1.5}})");
  EXPECT_EQ(rpc_result("i", {{"x", 1}}), R"({"jsonrpc":"2.0","id":"i","result":{"x":1}})");
  EXPECT_EQ(rpc_error(nullptr, {.code = kParseError, .message = "\"no\"", .data = nullptr}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"\"no\""}})");
}

TEST(Rpc, AnAnswerIsTheResultOrTheErrorWithItsData) {
  EXPECT_EQ(rpc_answer(1, json::object{}), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  const RpcError error{.code = kEventsPurged, .message = "gone", .data = {{"oldest", 4}}};
  EXPECT_EQ(
      rpc_answer(1, error),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"gone","data":{"oldest":4}}})");
}

TEST(Rpc, AskingForWhatIsNotThereThrows) {
  EXPECT_THROW(parse_rpc("x").value(), std::runtime_error);
  EXPECT_THROW(RpcResult(RpcError{}).value(), std::runtime_error);
}

}  // namespace
}  // namespace oriel::mcp
