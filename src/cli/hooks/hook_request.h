#pragma once
// The request of `oriel hook`: the payload of a hook, unchanged. Pure.

#include "base/hook_kind.h"
#include "client/server_access.h"

#include <sys/types.h>

#include <optional>
#include <string>

namespace oriel {

// From larger payloads, tool input and response are removed: the transcript has them too, and the
// server accepts 1 MiB by default.
constexpr std::size_t kLargeHookBytes = 900 << 10;

// Without a `kind` it is read from the payload. `agent` is the process that ran the hook, sent
// only to a server on this machine. An error if there is nothing to send.
Result<HttpRequest> hook_request(const ServerAccess& server, std::optional<HookKind> kind,
                                 std::string payload, pid_t agent);

}  // namespace oriel
