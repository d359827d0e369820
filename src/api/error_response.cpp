#include "api/error_response.h"

#include "http/error_status.h"

#include <string>

namespace oriel {

int rpc_code_of(ErrorKind kind) {
  switch (http::status_of(kind)) {
    case 400:
      return mcp::kInvalidParams;
    case 404:
      return mcp::kResourceNotFound;
    case 405:
      return mcp::kMethodNotFound;
    case 410:
      return mcp::kEventsPurged;
    case 429:
    case 500:
    case 502:
    case 503:
      return mcp::kInternalError;
    default:
      return mcp::kInvalidRequest;
  }
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
