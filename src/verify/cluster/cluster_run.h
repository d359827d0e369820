#pragma once
// `oriel verify --cluster`: clients that move between the nodes of a cluster, while nodes and their
// NATS server are killed and frozen.

#include "runtime/asio.h"
#include "verify/faulty_proxy.h"
#include "verify/verify_run.h"

#include <functional>
#include <string>

namespace oriel {

// Adds to the report what it has found. Errors: the cluster does not start.
asio::awaitable<Result<void>> verify_cluster(
    asio::any_io_executor shard, const VerifyOptions& options, FaultyProxy& proxy, FaultLog& log,
    const std::function<void(const std::string&)>& progress, VerifyReport& report);

}  // namespace oriel
