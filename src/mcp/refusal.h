#pragma once
// The rejection of a request before its method runs.

#include "mcp/rpc.h"

namespace oriel::mcp {

struct Refusal {
  int status = 400;  // HTTP status
  RpcError error;
};

}  // namespace oriel::mcp
