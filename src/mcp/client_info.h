#pragma once
// A client's description of itself, limited in size because it is kept with the session. Pure.

#include "mcp/rpc.h"

namespace oriel::mcp {

constexpr std::size_t kMaxClientInfoBytes = 256;           // of name, title and version each
constexpr std::size_t kMaxCapabilitiesBytes = 16U << 10U;  // as JSON

// Name, title and version; other keys are dropped. kInvalidParams beyond the limit.
RpcResult read_client_info(const boost::json::object& info);

// The unchanged capabilities; kInvalidParams beyond the limit.
RpcResult read_capabilities(const boost::json::object& capabilities);

}  // namespace oriel::mcp
