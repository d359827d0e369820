#include "api/error_response.h"

#include "http/error_status.h"

#include <string>

// A status that the table lacks does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace oriel {

int rpc_code_of(ErrorKind kind) {
  using http::ErrorStatus;
  switch (http::error_status_of(kind)) {
    case ErrorStatus::kBadRequest:
      return mcp::kInvalidParams;

    case ErrorStatus::kNotFound:
      return mcp::kResourceNotFound;

    case ErrorStatus::kMethodNotAllowed:
      return mcp::kMethodNotFound;

    case ErrorStatus::kGone:
      return mcp::kEventsPurged;

    case ErrorStatus::kUnauthorized:
    case ErrorStatus::kForbidden:
    case ErrorStatus::kRequestTimeout:
    case ErrorStatus::kConflict:
    case ErrorStatus::kContentTooLarge:
    case ErrorStatus::kUnsupportedMediaType:
    case ErrorStatus::kHeaderTooLarge:
    case ErrorStatus::kNotImplemented:
    case ErrorStatus::kUnsupportedVersion:
      return mcp::kInvalidRequest;

    case ErrorStatus::kTooManyRequests:
    case ErrorStatus::kInternalError:
    case ErrorStatus::kBadGateway:
    case ErrorStatus::kUnavailable:
      break;
  }
  return mcp::kInternalError;
}

http::Response error_response(const Error& error, std::chrono::seconds retry_after) {
  http::Response response = http::error_response(error);
  if (response.status == 429 || response.status == 503)
    response.headers.emplace_back("Retry-After", std::to_string(retry_after.count()));
  return response;
}

mcp::RpcError to_rpc_error(const Error& error) {
  return {.code = rpc_code_of(error.kind), .message = describe(error), .data = {}};
}

}  // namespace oriel
