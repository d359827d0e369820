#pragma once
// What running a method has in common, whatever its era.

#include "mcp/call.h"
#include "runtime/asio.h"

#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <string>
#include <vector>

namespace oriel::mcp {

// Runs a method until it answers or `stop` is emitted: then none. What it throws is logged, and its
// client is told no more than that it failed.
asio::awaitable<std::optional<RpcResult>> handle(asio::cancellation_signal& stop,
                                                 asio::awaitable<RpcResult> method,
                                                 std::string name);

// The refusal if the client has not declared what one of these needs.
std::optional<RpcError> missing_capability(const std::vector<InputRequest>& inputs,
                                           const boost::json::object& capabilities);

// kMissingCapability with data.requiredCapabilities.
RpcError capability_needed(boost::json::object required);

}  // namespace oriel::mcp
