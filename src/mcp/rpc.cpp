#include "mcp/rpc.h"

#include "base/text/json_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

// Bounds the recursion of code that walks a message.
constexpr std::size_t kMaxDepth = 128;

using Parsed = boost::system::result<RpcMessage, RpcFault>;

RpcFault invalid(std::string message, json::value id = nullptr) {
  return {.error = {.code = kInvalidRequest, .message = std::move(message), .data = nullptr},
          .id = std::move(id)};
}

// JSON cannot express infinity, so the id could not be echoed.
bool is_id(const json::value& value) {
  if (value.is_double()) return std::isfinite(value.get_double());
  return value.is_string() || value.is_number();
}

// Null if the message has no usable id.
json::value id_of(const json::object& message) {
  const json::value* id = message.if_contains("id");
  return id && is_id(*id) ? *id : json::value(nullptr);
}

Parsed parse_call(json::object& message) {
  const json::value id = id_of(message);
  if (!message["method"].is_string()) return invalid("\"method\" must be a string", id);
  if (message.contains("result") || message.contains("error"))
    return invalid("a message has \"method\" or one of \"result\" and \"error\", not both", id);

  json::object params;
  if (json::value* given = message.if_contains("params")) {
    if (!given->is_object())
      return invalid("\"params\" must be an object: MCP has no positional parameters", id);
    params = std::move(given->get_object());
  }
  std::string method(message["method"].get_string());
  if (!message.contains("id"))
    return RpcNotification{.method = std::move(method), .params = std::move(params)};
  return RpcRequest{.id = id, .method = std::move(method), .params = std::move(params)};
}

std::optional<int> int_of(const json::value* value) {
  boost::system::error_code error;
  if (!value || !value->is_number() || value->is_double()) return std::nullopt;
  const int number = value->to_number<int>(error);
  if (error) return std::nullopt;
  return number;
}

// None if it is not a JSON-RPC error.
std::optional<RpcError> parse_error(const json::value& value) {
  const json::object* error = value.if_object();
  if (!error) return std::nullopt;
  const std::optional<int> code = int_of(error->if_contains("code"));
  const json::value* message = error->if_contains("message");
  if (!code || !message || !message->is_string()) return std::nullopt;
  const json::value* data = error->if_contains("data");
  return RpcError{.code = *code,
                  .message = std::string(message->get_string()),
                  .data = data ? *data : json::value(nullptr)};
}

Parsed parse_response(json::object& message) {
  json::value id = id_of(message);
  json::value* const result = message.if_contains("result");
  const json::value* const error = message.if_contains("error");
  if (!result && !error)
    return invalid("a message must have one of \"method\", \"result\" and \"error\"", id);
  if (result && error) return invalid("a response has \"result\" or \"error\", not both", id);
  if (id.is_null()) return invalid("a response must have the \"id\" of its request");

  if (result) {
    if (!result->is_object()) return invalid("\"result\" must be an object", id);
    return RpcResponse{.id = std::move(id), .result = std::move(result->get_object())};
  }
  std::optional<RpcError> refused = parse_error(*error);
  if (!refused)
    return invalid("\"error\" must have \"code\", an integer, and \"message\", a string", id);
  return RpcResponse{.id = std::move(id), .result = std::move(*refused)};
}

Parsed parse_message(json::value& value) {
  json::object* const message = value.if_object();
  if (!message) return invalid("a message must be a JSON object");
  const json::value* const version = message->if_contains("jsonrpc");
  if (!version || *version != "2.0")
    return invalid("a message must have \"jsonrpc\":\"2.0\"", id_of(*message));
  const json::value* const id = message->if_contains("id");
  if (id && !is_id(*id)) return invalid("\"id\" must be a string or a number");
  return message->contains("method") ? parse_call(*message) : parse_response(*message);
}

boost::system::result<RpcBody, RpcFault> parse_batch(json::array& batch, std::size_t max_batch) {
  if (batch.empty()) return invalid("a batch must hold at least one message");
  if (batch.size() > max_batch)
    return invalid("a batch may hold " + std::to_string(max_batch) + " messages, not " +
                   std::to_string(batch.size()) + ": send several");
  RpcBody body;
  body.is_batch = true;
  for (json::value& each : batch) {
    Parsed message = parse_message(each);
    if (!message)
      return invalid("message " + std::to_string(body.messages.size() + 1) +
                     " of the batch: " + message.error().error.message);
    body.messages.push_back(std::move(*message));
  }
  return body;
}

std::string opening(const json::value& id) {
  return R"({"jsonrpc":"2.0","id":)" + json_text(id);
}

std::string call(std::string_view method, const json::object& params) {
  std::string text = R"(,"method":)" + json::serialize(method);
  if (!params.empty()) text += R"(,"params":)" + json_text(params);
  return text + '}';
}

}  // namespace

std::optional<json::value> parse_rpc_id(std::string_view text) {
  boost::system::error_code failed;
  json::value id = json::parse(text, failed);
  if (failed || !is_id(id)) return std::nullopt;
  return id;
}

boost::system::result<RpcBody, RpcFault> parse_rpc(std::string_view bytes, std::size_t max_batch) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(bytes, error, {}, options);
  if (error)
    return RpcFault{.error = {.code = kParseError,
                              .message = "not JSON in UTF-8 of at most " +
                                         std::to_string(kMaxDepth) + " levels: " + error.message(),
                              .data = nullptr},
                    .id = nullptr};
  if (json::array* batch = value.if_array()) return parse_batch(*batch, max_batch);
  Parsed message = parse_message(value);
  if (!message) return std::move(message).error();
  RpcBody body;
  body.messages.push_back(std::move(*message));
  return body;
}

std::string rpc_result(const json::value& id, const json::object& result) {
  return opening(id) + R"(,"result":)" + json_text(result) + '}';
}

RpcError invalid_params(std::string message) {
  return {.code = kInvalidParams, .message = std::move(message), .data = {}};
}

std::string rpc_error(const json::value& id, const RpcError& error) {
  std::string text = opening(id) + R"(,"error":{"code":)" + std::to_string(error.code) +
                     R"(,"message":)" + json::serialize(error.message);
  if (!error.data.is_null()) text += R"(,"data":)" + json_text(error.data);
  return text + "}}";
}

std::string rpc_answer(const json::value& id, const RpcResult& result) {
  return result ? rpc_result(id, *result) : rpc_error(id, result.error());
}

std::string rpc_notification(std::string_view method, const json::object& params) {
  return R"({"jsonrpc":"2.0")" + call(method, params);
}

std::string rpc_request(const json::value& id, std::string_view method,
                        const json::object& params) {
  return opening(id) + call(method, params);
}

void throw_exception_from_error(const RpcError& error, const boost::source_location&) {
  throw std::runtime_error(error.message);
}

void throw_exception_from_error(const RpcFault& fault, const boost::source_location&) {
  throw std::runtime_error(fault.error.message);
}

}  // namespace oriel::mcp
