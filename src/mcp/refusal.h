#pragma once
// Why a request is refused before any method sees it.

#include "mcp/rpc.h"

namespace oriel::mcp {

struct Refusal {
  int status = 400;  // of HTTP
  RpcError error;
};

}  // namespace oriel::mcp
