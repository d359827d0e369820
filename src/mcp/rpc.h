#pragma once
// JSON-RPC 2.0 as MCP uses it: what a client's bytes mean, and the bytes of what a server says.
// Pure.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel::mcp {

// The protocol's own codes, and those of MCP.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;
constexpr int kSessionNotFound = -32001;
constexpr int kResourceNotFound = -32002;  // not from 2026-07-28 on
constexpr int kEventsPurged = -32010;
constexpr int kHeaderMismatch = -32020;
constexpr int kMissingCapability = -32021;
constexpr int kUnsupportedVersion = -32022;

struct RpcError {
  int code = kInternalError;
  std::string message;
  boost::json::value data;  // null: none
};

// What a method answers.
using RpcResult = boost::system::result<boost::json::object, RpcError>;

struct RpcRequest {
  boost::json::value id;  // a string or a number, to be given back as it came
  std::string method;
  boost::json::object params;
};

struct RpcNotification {
  std::string method;
  boost::json::object params;
};

// To a request that the server has made.
struct RpcResponse {
  boost::json::value id;
  RpcResult result;
};

using RpcMessage = std::variant<RpcRequest, RpcNotification, RpcResponse>;

// Why something is no message, with the id to answer under: null if it has none.
struct RpcFault {
  RpcError error;
  boost::json::value id;
};

// One message, or a batch of them.
struct RpcBody {
  std::vector<RpcMessage> messages;
  bool is_batch = false;
};

// Any bytes: not JSON (or nested too deeply) is kParseError, not JSON-RPC (or an empty batch, or
// one of more than `max_batch`) kInvalidRequest. A batch with something else in it is refused as a
// whole, under null; of members with the same name the last counts.
boost::system::result<RpcBody, RpcFault> parse_rpc(std::string_view bytes,
                                                   std::size_t max_batch = 100);

// Each in one line, without line breaks. Empty params are left out.
std::string rpc_result(const boost::json::value& id, const boost::json::object& result);
std::string rpc_error(const boost::json::value& id, const RpcError& error);
std::string rpc_answer(const boost::json::value& id, const RpcResult& result);
std::string rpc_notification(std::string_view method, const boost::json::object& params);
std::string rpc_request(const boost::json::value& id, std::string_view method,
                        const boost::json::object& params);

// Called by RpcResult::value() when there is none: asking for it unchecked is a fault.
[[noreturn]] void throw_exception_from_error(const RpcError& error, const boost::source_location&);
[[noreturn]] void throw_exception_from_error(const RpcFault& fault, const boost::source_location&);

}  // namespace oriel::mcp
