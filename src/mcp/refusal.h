#pragma once
// Why a request is refused before any method sees it.

#include "mcp/rpc.h"

namespace oriel {

struct Refusal {
  int status = 400;  // of HTTP
  RpcError error;
};

}  // namespace oriel
