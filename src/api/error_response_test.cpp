#include "api/error_response.h"

#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

using namespace std::chrono_literals;

http::Response response_to(ErrorKind kind) {
  return error_response({.kind = kind, .message = "it failed", .hint = "try again"});
}

std::string header_of(const http::Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

TEST(ErrorResponse, HasTheStatusOfTheKind) {
  EXPECT_EQ(response_to(ErrorKind::kInvalidFilter).status, 400);
  EXPECT_EQ(response_to(ErrorKind::kMissingScope).status, 403);
  EXPECT_EQ(response_to(ErrorKind::kUnknownSession).status, 404);
  EXPECT_EQ(response_to(ErrorKind::kSessionEnded).status, 409);
  EXPECT_EQ(response_to(ErrorKind::kEventsPurged).status, 410);
  EXPECT_EQ(response_to(ErrorKind::kUploadsFull).status, 413);
  EXPECT_EQ(response_to(ErrorKind::kTypeNotAllowed).status, 415);
  EXPECT_EQ(response_to(ErrorKind::kTooManySessions).status, 429);
  EXPECT_EQ(response_to(ErrorKind::kWorkspaceFailed).status, 502);
  EXPECT_EQ(response_to(ErrorKind::kJournalBusy).status, 503);
  EXPECT_EQ(response_to(ErrorKind::kBadDocument).status, 500);
}

TEST(ErrorResponse, CarriesTheCodeMessageAndHint) {
  EXPECT_EQ(*response_to(ErrorKind::kInvalidCursor).body,
            R"({"error":{"code":"invalid_cursor","message":"it failed","hint":"try again"}})");
}

TEST(ErrorResponse, HasRetryAfterFor429And503) {
  EXPECT_EQ(header_of(response_to(ErrorKind::kTooManyMessages), "Retry-After"), "5");
  EXPECT_EQ(header_of(response_to(ErrorKind::kStopping), "Retry-After"), "5");
  EXPECT_EQ(header_of(response_to(ErrorKind::kInProgress), "Retry-After"), "");
  const Error busy{.kind = ErrorKind::kJournalBusy, .message = "busy", .hint = ""};
  EXPECT_EQ(header_of(error_response(busy, 1s), "Retry-After"), "1");
}

TEST(ErrorResponse, EveryKindHasARpcCode) {
  for (int i = 0; i <= static_cast<int>(kLastErrorKind); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    EXPECT_LT(rpc_code_of(kind), 0) << kind;
  }
}

TEST(ErrorResponse, TheRpcCodeFollowsFromTheStatus) {
  EXPECT_EQ(rpc_code_of(ErrorKind::kInvalidFilter), mcp::kInvalidParams);
  EXPECT_EQ(rpc_code_of(ErrorKind::kMissingScope), mcp::kInvalidRequest);
  EXPECT_EQ(rpc_code_of(ErrorKind::kSessionEnded), mcp::kInvalidRequest);
  EXPECT_EQ(rpc_code_of(ErrorKind::kMethodNotAllowed), mcp::kMethodNotFound);
  EXPECT_EQ(rpc_code_of(ErrorKind::kEventsPurged), mcp::kEventsPurged);
  EXPECT_EQ(rpc_code_of(ErrorKind::kTooManyMessages), mcp::kInternalError);
  EXPECT_EQ(rpc_code_of(ErrorKind::kStopping), mcp::kInternalError);
  EXPECT_EQ(rpc_code_of(ErrorKind::kBadDocument), mcp::kInternalError);
}

TEST(ErrorResponse, TheRpcErrorHasTheKindsCode) {
  const mcp::RpcError error = to_rpc_error(
      {.kind = ErrorKind::kUnknownSession, .message = "no session", .hint = "list them"});
  EXPECT_EQ(error.code, mcp::kResourceNotFound);
  EXPECT_EQ(error.message, "no session; list them");
}

}  // namespace
}  // namespace oriel
