#pragma once
// Proves that gaps are announced: watchers of a server with a small memory store are away while
// events are published and removed again.

#include "client/server_access.h"
#include "runtime/asio.h"
#include "verify/promise.h"

namespace oriel {

// Flags of a server for this.
inline constexpr const char* kGapStoreFlags[] = {"--store", "memory", "--event-store-bytes",
                                                 "256KiB"};

asio::awaitable<Verdict> prove_gaps(ServerAccess server);

}  // namespace oriel
