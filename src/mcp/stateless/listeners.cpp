#include "mcp/stateless/listeners.h"

#include <boost/json/array.hpp>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";
constexpr std::size_t kMaxListenerUnsent = 1 << 20;  // slower clients are disconnected

json::object with_subscription(json::object params, const json::value& rpc_id) {
  json::object meta;
  meta[kSubscriptionId] = rpc_id;
  params["_meta"] = std::move(meta);
  return params;
}

json::object to_json(const ListenFilter& filter) {
  json::object out;
  if (filter.tools) out["toolsListChanged"] = true;
  if (filter.prompts) out["promptsListChanged"] = true;
  if (filter.resources) out["resourcesListChanged"] = true;
  if (!filter.uris.empty())
    out["resourceSubscriptions"] = json::array(filter.uris.begin(), filter.uris.end());
  if (!filter.tasks.empty()) out["taskIds"] = json::array(filter.tasks.begin(), filter.tasks.end());
  return out;
}

SharedBytes event_bytes(std::string message) {
  Chunk chunk;
  chunk.add_event(std::move(message));
  return chunk.take().front();  // one piece, since nothing is shared
}

// False if present and not a list of strings within the limits.
bool read_names(const json::object& object, std::string_view key, const SubscriptionLimits& limits,
                std::set<std::string, std::less<>>& into) {
  const auto* const list = object.if_contains(key);
  if (list == nullptr) return true;
  if (!list->is_array() || list->as_array().size() > limits.max_count) return false;
  for (const json::value& name : list->as_array()) {
    if (!name.is_string() || name.get_string().size() > limits.max_uri_bytes) return false;
    into.emplace(name.as_string());
  }
  return true;
}

}  // namespace

bool ListenFilter::wants(const Change& change) const {
  switch (change.what) {
    case Change::What::kTools:
      return tools;
    case Change::What::kPrompts:
      return prompts;
    case Change::What::kResources:
      return resources;
    case Change::What::kResource:
      return uris.contains(change.uri);
    case Change::What::kTask:
      return tasks.contains(change.uri);
  }
  return false;
}

boost::system::result<ListenFilter, RpcError> parse_listen_filter(
    const json::object& params, const SubscriptionLimits& limits) {
  const auto* const asked = params.if_contains("notifications");
  if (asked == nullptr || !asked->is_object())
    return invalid_params("params.notifications is missing or not an object");
  const json::object& object = asked->as_object();
  const auto is_on = [&](std::string_view key) {
    const auto* const value = object.if_contains(key);
    return value != nullptr && value->is_bool() && value->as_bool();
  };
  ListenFilter filter;
  filter.tools = is_on("toolsListChanged");
  filter.prompts = is_on("promptsListChanged");
  filter.resources = is_on("resourcesListChanged");
  const std::string most = " is not a list of at most " + std::to_string(limits.max_count) + " ";
  const std::string each = " of at most " + std::to_string(limits.max_uri_bytes) + " bytes";
  if (!read_names(object, "resourceSubscriptions", limits, filter.uris))
    return invalid_params("params.notifications.resourceSubscriptions" + most + "URIs" + each);
  if (!read_names(object, "taskIds", limits, filter.tasks))
    return invalid_params("params.notifications.taskIds" + most + "ids" + each);
  return filter;
}

void Listeners::open(const json::value& rpc_id, ListenFilter filter,
                     const json::object& server_info, std::shared_ptr<StreamConnection> connection,
                     std::unique_ptr<http::Transport> transport, std::string head) {
  json::object honoured{{"notifications", to_json(filter)}};
  head += *event_bytes(rpc_notification("notifications/subscriptions/acknowledged",
                                        with_subscription(std::move(honoured), rpc_id)));
  const StreamConnection* const key = connection.get();
  listeners_.emplace(key, Listener{.rpc_id = rpc_id,
                                   .filter = std::move(filter),
                                   .server_info = server_info,
                                   .connection = connection});
  connection->start(std::move(transport), std::move(head),
                    {.drained =
                         [this, key] {
                           const auto found = listeners_.find(key);
                           if (found != listeners_.end()) found->second.unsent = 0;
                         },
                     .ended = [this, key] { listeners_.erase(key); }});
}

void Listeners::send(Listener& listener, std::string message) {
  listener.unsent += message.size();
  if (listener.unsent > kMaxListenerUnsent) return listener.connection->drop();
  listener.connection->send({event_bytes(message)});
}

void Listeners::announce(const Change& change) {
  for (auto& [key, listener] : listeners_) {
    if (!listener.filter.wants(change)) continue;
    if (!change.is_visible_to(listener.connection->principal())) continue;
    send(listener, rpc_notification(notification_of(change.what),
                                    with_subscription(params_of(change), listener.rpc_id)));
  }
}

void Listeners::finish_all() {
  for (auto& [key, listener] : listeners_) {
    json::object result = with_subscription({{"resultType", "complete"}}, listener.rpc_id);
    result["_meta"].as_object()["io.modelcontextprotocol/serverInfo"] = listener.server_info;
    send(listener, rpc_result(listener.rpc_id, result));
    listener.connection->finish();
  }
}

}  // namespace oriel::mcp
