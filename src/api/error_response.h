#pragma once
// How clients see errors, in HTTP and in JSON-RPC.

#include "base/error.h"
#include "http/response.h"
#include "mcp/rpc.h"

#include <chrono>

namespace oriel {

// Follows from the HTTP status of the kind (http/error_status.h). A status without a code does not
// compile.
int rpc_code_of(ErrorKind kind);

// With statuses 429 and 503, `retry_after` becomes the header Retry-After.
http::Response error_response(const Error& error,
                              std::chrono::seconds retry_after = std::chrono::seconds(5));

mcp::RpcError to_rpc_error(const Error& error);

}  // namespace oriel
