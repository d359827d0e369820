#include "mcp/handling.h"

#include "base/log.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

std::string_view capability_for(std::string_view method) {
  if (method == "elicitation/create") return "elicitation";
  if (method == "sampling/createMessage") return "sampling";
  return "roots";
}

}  // namespace

asio::awaitable<std::optional<RpcResult>> handle(asio::cancellation_signal& stop,
                                                 asio::awaitable<RpcResult> method,
                                                 std::string name) {
  const auto executor = co_await asio::this_coro::executor;
  try {
    auto stoppable = asio::bind_cancellation_slot(stop.slot(), asio::use_awaitable);
    RpcResult result = co_await asio::co_spawn(executor, std::move(method), stoppable);
    co_return std::optional<RpcResult>(std::move(result));
  } catch (const boost::system::system_error& failure) {
    if (failure.code() == asio::error::operation_aborted) co_return std::nullopt;
    log()->error("mcp {}: {}", name, failure.what());
  } catch (const std::exception& failure) {
    log()->error("mcp {}: {}", name, failure.what());
  }
  co_return std::optional<RpcResult>(
      RpcError{.code = kInternalError,
               .message = name + " failed in the server; see the server's log",
               .data = {}});
}

std::optional<RpcError> missing_capability(const std::vector<InputRequest>& inputs,
                                           const json::object& capabilities) {
  json::object required;
  for (const InputRequest& input : inputs) {
    const std::string_view needed = capability_for(input.method);
    if (!capabilities.contains(needed)) required[needed] = json::object();
  }
  if (required.empty()) return std::nullopt;
  return capability_needed(std::move(required));
}

RpcError capability_needed(json::object required) {
  std::string names;
  for (const auto& [name, value] : required)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return {.code = kMissingCapability,
          .message = "this needs a client that declares the capability " + names,
          .data = json::object{{"requiredCapabilities", std::move(required)}}};
}

}  // namespace oriel::mcp
