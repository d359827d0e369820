#pragma once
// What `oriel hook` sends: an agent's own words about one moment of its life, as they came. Pure.

#include "client/server_access.h"

#include <sys/types.h>

#include <string>

namespace oriel {

// Larger payloads lose the parts that can be large and that the transcript has too, so that the
// server, which takes 1 MiB by default, gets the rest.
constexpr std::size_t kLargeHookBytes = 900 << 10;

// `kind` as the address has it; empty: the payload says it. `agent` is the process that fired the
// hook; a server on another machine is not told. An error when there is nothing to send.
Result<HttpRequest> hook_request(const ServerAccess& server, const std::string& kind,
                                 std::string payload, pid_t agent);

}  // namespace oriel
