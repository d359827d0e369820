#pragma once
// JSON-RPC 2.0 as MCP uses it: parsing and serialization. Pure.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel::mcp {

// Error codes of JSON-RPC and MCP.
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

RpcError invalid_params(std::string message);

// An id of a request in a JSON text: a string or number, as JSON. None for anything else.
std::optional<boost::json::value> parse_rpc_id(std::string_view text);

// The result of a method.
using RpcResult = boost::system::result<boost::json::object, RpcError>;

struct RpcRequest {
  boost::json::value id;  // string or number, echoed unchanged
  std::string method;
  boost::json::object params;
};

struct RpcNotification {
  std::string method;
  boost::json::object params;
};

// Response to a request of the server.
struct RpcResponse {
  boost::json::value id;
  RpcResult result;
};

using RpcMessage = std::variant<RpcRequest, RpcNotification, RpcResponse>;

// A parse error with the id for the response; null if unknown.
struct RpcFault {
  RpcError error;
  boost::json::value id;
};

// One message, or a batch of them.
struct RpcBody {
  std::vector<RpcMessage> messages;
  bool is_batch = false;
};

// Accepts any bytes. Invalid JSON, or too deep nesting, is kParseError; anything that is not
// JSON-RPC, an empty batch or one above `max_batch` is kInvalidRequest. One invalid member rejects
// the whole batch. The last of duplicate keys wins.
boost::system::result<RpcBody, RpcFault> parse_rpc(std::string_view bytes,
                                                   std::size_t max_batch = 100);

// Each returns one line. Empty params are omitted.
std::string rpc_result(const boost::json::value& id, const boost::json::object& result);
std::string rpc_error(const boost::json::value& id, const RpcError& error);
std::string rpc_answer(const boost::json::value& id, const RpcResult& result);
std::string rpc_notification(std::string_view method, const boost::json::object& params);
std::string rpc_request(const boost::json::value& id, std::string_view method,
                        const boost::json::object& params);

// Called by RpcResult::value() on an error: an unchecked access is a bug.
[[noreturn]] void throw_exception_from_error(const RpcError& error, const boost::source_location&);
[[noreturn]] void throw_exception_from_error(const RpcFault& fault, const boost::source_location&);

}  // namespace oriel::mcp
