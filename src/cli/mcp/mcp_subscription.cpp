#include "cli/mcp/mcp_subscription.h"

#include "base/text/json_access.h"

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";
constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";

}  // namespace

McpSubscription::McpSubscription(const McpLine& line)
    : id_(line.ids.front()), wanted_(object_of(member(line.params, "notifications"))) {}

std::optional<std::vector<std::string>> McpSubscription::replace(std::string_view message) {
  const auto body = mcp::parse_rpc(message);
  if (!body || body->is_batch) return std::nullopt;
  const mcp::RpcMessage& only = body->messages.front();
  if (const auto* const response = std::get_if<mcp::RpcResponse>(&only)) {
    if (response->id == id_ && response->result) return std::vector<std::string>();
  }
  const auto* const notification = std::get_if<mcp::RpcNotification>(&only);
  if (!notification || notification->method != kAcknowledged) return std::nullopt;
  if (!std::exchange(is_acknowledged_, true)) return std::nullopt;
  return changes();
}

std::vector<std::string> McpSubscription::changes() const {
  json::object meta;
  meta[kSubscriptionId] = id_;
  std::vector<std::string> lines;
  for (const json::value& uri : elements_of(member(wanted_, "resourceSubscriptions")))
    lines.push_back(
        mcp::rpc_notification("notifications/resources/updated", {{"uri", uri}, {"_meta", meta}}));
  if (is_true(member(wanted_, "resourcesListChanged")))
    lines.push_back(
        mcp::rpc_notification("notifications/resources/list_changed", {{"_meta", meta}}));
  return lines;
}

}  // namespace oriel
