// Any bytes parse to messages or to a fault that can be answered; every message survives a round
// trip.

#include "base/text/utf8.h"
#include "check.h"
#include "mcp/rpc.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace oriel {
namespace {

namespace json = boost::json;

// Boost.JSON reads a fraction to within some units in its last place, and has none for infinity.
bool is_same_number(const json::value& one, const json::value& other) {
  if (one.is_double() && !std::isfinite(one.get_double())) return other.is_null();
  if (!other.is_number()) return false;
  if (!one.is_double() && !other.is_double()) return one == other;
  const double a = one.to_number<double>();
  const double b = other.to_number<double>();
  return std::abs(a - b) <= 1e-15 * std::max(std::abs(a), std::abs(b)) + 1e-300;
}

bool is_same(const json::value& one, const json::value& other);

bool is_same(const json::object& one, const json::object& other) {
  if (one.size() != other.size()) return false;
  return std::all_of(one.begin(), one.end(), [&](const auto& member) {
    const json::value* const found = other.if_contains(member.key());
    return found && is_same(member.value(), *found);
  });
}

bool is_same(const json::value& one, const json::value& other) {
  if (one.is_number()) return is_same_number(one, other);
  if (one.is_object()) return other.is_object() && is_same(one.get_object(), other.get_object());
  if (!one.is_array()) return one == other;
  return other.is_array() && std::equal(one.get_array().begin(), one.get_array().end(),
                                        other.get_array().begin(), other.get_array().end(),
                                        [](const auto& a, const auto& b) { return is_same(a, b); });
}

std::string written(const mcp::RpcRequest& request) {
  return mcp::rpc_request(request.id, request.method, request.params);
}

std::string written(const mcp::RpcNotification& notification) {
  return mcp::rpc_notification(notification.method, notification.params);
}

std::string written(const mcp::RpcResponse& response) {
  return mcp::rpc_answer(response.id, response.result);
}

bool is_same(const mcp::RpcRequest& one, const mcp::RpcRequest& other) {
  return is_same(one.id, other.id) && one.method == other.method &&
         is_same(one.params, other.params);
}

bool is_same(const mcp::RpcNotification& one, const mcp::RpcNotification& other) {
  return one.method == other.method && is_same(one.params, other.params);
}

bool is_same(const mcp::RpcResponse& one, const mcp::RpcResponse& other) {
  if (!is_same(one.id, other.id) || one.result.has_value() != other.result.has_value())
    return false;
  if (one.result) return is_same(*one.result, *other.result);
  const mcp::RpcError a = one.result.error();
  const mcp::RpcError b = other.result.error();
  return a.code == b.code && a.message == b.message && is_same(a.data, b.data);
}

void check_line(const std::string& line) {
  ORIEL_CHECK(line.find_first_of("\r\n") == std::string::npos);
  ORIEL_CHECK(is_utf8(line));
}

template <class Message>
void check_reads_back(const Message& message) {
  const std::string line = written(message);
  check_line(line);
  const auto again = mcp::parse_rpc(line);
  ORIEL_CHECK(again && !again->is_batch && again->messages.size() == 1);
  const auto* const same = std::get_if<Message>(&again->messages[0]);
  ORIEL_CHECK(same && is_same(message, *same));
}

void check_fault(const mcp::RpcFault& fault) {
  ORIEL_CHECK(fault.error.code == mcp::kParseError || fault.error.code == mcp::kInvalidRequest);
  ORIEL_CHECK(!fault.error.message.empty());
  ORIEL_CHECK(fault.id.is_null() || fault.id.is_string() || fault.id.is_number());
  check_line(mcp::rpc_error(fault.id, fault.error));
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const auto body = mcp::parse_rpc(std::string_view(reinterpret_cast<const char*>(data), size), 10);
  if (!body) {
    check_fault(body.error());
    return 0;
  }
  ORIEL_CHECK(!body->messages.empty() && body->messages.size() <= 10);
  for (const mcp::RpcMessage& message : body->messages)
    std::visit([](const auto& each) { check_reads_back(each); }, message);
  return 0;
}
