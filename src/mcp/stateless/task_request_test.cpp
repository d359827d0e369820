#include "mcp/stateless/task_request.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

TEST(TaskRequestTest, ARequestArrivesAsItWasSent) {
  const TaskRequest request{.method = "tasks/update",
                            .task_id = "t1",
                            .params = {{"taskId", "t1"}, {"inputResponses", {{"a", 1}}}},
                            .principal = {.name = "ann",
                                          .credential_id = "0123456789abcdef",
                                          .scopes = {Scope::kRead},
                                          .projects = {"shop"}}};
  const auto parsed = parse_task_request(to_text(request));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->method, request.method);
  EXPECT_EQ(parsed->task_id, request.task_id);
  EXPECT_EQ(parsed->params, request.params);
  EXPECT_EQ(parsed->principal, request.principal);
}

TEST(TaskRequestTest, AnythingElseIsNoRequest) {
  for (const char* const text : {"", "{}", "[]", R"({"method":"tasks/get"})"})
    EXPECT_FALSE(parse_task_request(text)) << text;
}

TEST(TaskRequestTest, AResultArrivesAsItWasSent) {
  const boost::json::object result{{"status", "working"}};
  EXPECT_EQ(*parse_result(to_text(RpcResult(result))), result);
  EXPECT_TRUE(parse_result(to_text(RpcResult(boost::json::object()))));
}

TEST(TaskRequestTest, AnErrorArrivesAsItWasSent) {
  const RpcResult failed = parse_result(
      to_text(RpcResult(RpcError{.code = kInvalidParams, .message = "no", .data = 7})));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, kInvalidParams);
  EXPECT_EQ(failed.error().message, "no");
  EXPECT_EQ(failed.error().data, 7);
}

TEST(TaskRequestTest, AnythingElseIsAnError) {
  for (const char* const text : {"", "{}", R"({"result":7})", R"({"error":{}})"})
    EXPECT_FALSE(parse_result(text)) << text;
}

}  // namespace
}  // namespace oriel::mcp
