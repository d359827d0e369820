#pragma once
// Running a method, independent of the protocol era.

#include "mcp/call.h"
#include "runtime/asio.h"

#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <string>
#include <vector>

namespace oriel::mcp {

// Runs a method until it returns, or until `stop` is emitted, which returns none. An exception is
// logged and becomes an internal error without detail.
asio::awaitable<std::optional<RpcResult>> handle(asio::cancellation_signal& stop,
                                                 asio::awaitable<RpcResult> method,
                                                 std::string name);

// An error if the client has not declared a capability that one of these needs.
std::optional<RpcError> missing_capability(const std::vector<InputRequest>& inputs,
                                           const boost::json::object& capabilities);

// kMissingCapability with data.requiredCapabilities.
RpcError capability_needed(boost::json::object required);

}  // namespace oriel::mcp
