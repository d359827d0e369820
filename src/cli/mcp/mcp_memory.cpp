#include "cli/mcp/mcp_memory.h"

#include "base/text/json_access.h"
#include "base/text/quote.h"

namespace oriel {
namespace {

constexpr std::size_t kMaxSubscriptions = 10'000;

// Ids of the bridge's own requests. Their responses do not reach the client.
std::string own_id(std::size_t number) {
  return "oriel-again-" + std::to_string(number);
}

}  // namespace

void McpMemory::learn(const McpLine& line, const boost::json::object& result,
                      std::string_view session_id) {
  if (line.kind == McpLineKind::kInitialize) {
    initialize_params_ = line.params;
    version_ = text_at(result, "protocolVersion");
    session_id_ = session_id;
    log_level_.reset();
    subscriptions_.clear();
  }
  const bool is_in_session = line.version.empty();
  if (!is_in_session) return;
  if (line.method == "logging/setLevel") log_level_ = text_at(line.params, "level");
  if (line.method == "resources/unsubscribe") subscriptions_.erase(text_at(line.params, "uri"));
  if (line.method == "resources/subscribe" && subscriptions_.size() < kMaxSubscriptions)
    subscriptions_.insert(text_at(line.params, "uri"));
}

HttpHeaders McpMemory::headers() const {
  HttpHeaders headers;
  if (!session_id_.empty()) headers.emplace_back("Mcp-Session-Id", session_id_);
  if (!version_.empty()) headers.emplace_back("MCP-Protocol-Version", version_);
  return headers;
}

std::string McpMemory::initialize_request() const {
  return mcp::rpc_request(boost::json::value(own_id(0)), "initialize", initialize_params_);
}

Result<void> McpMemory::restarted(const boost::json::object& result, std::string_view session_id) {
  const std::string version = text_at(result, "protocolVersion");
  if (version != version_) {
    return Error{.kind = ErrorKind::kOtherVersion,
                 .message = "the server now uses MCP " + quote(version) + ", not " + version_,
                 .hint = "restart this client"};
  }
  session_id_ = session_id;
  return {};
}

std::vector<std::string> McpMemory::messages_to_repeat() const {
  std::vector<std::string> messages = {mcp::rpc_notification("notifications/initialized", {})};
  const auto add = [&messages](std::string_view method, const boost::json::object& params) {
    messages.push_back(
        mcp::rpc_request(boost::json::value(own_id(messages.size())), method, params));
  };
  if (log_level_) add("logging/setLevel", {{"level", *log_level_}});
  for (const std::string& uri : subscriptions_)
    add("resources/subscribe", {{"uri", uri}});
  return messages;
}

}  // namespace oriel
