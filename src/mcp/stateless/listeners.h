#pragma once
// subscriptions/listen of 2026-07-28: change notifications for clients without sessions.

#include "http/transport/transport.h"
#include "mcp/change.h"
#include "mcp/options.h"
#include "mcp/rpc.h"
#include "mcp/streams/stream_connection.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace oriel::mcp {

// The changes a client subscribed to.
struct ListenFilter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string, std::less<>> uris;
  std::set<std::string, std::less<>> tasks;

  bool wants(const Change& change) const;
};

// Parses params.notifications; kInvalidParams if malformed or beyond the limits.
boost::system::result<ListenFilter, RpcError> parse_listen_filter(const boost::json::object& params,
                                                                  const SubscriptionLimits& limits);

// The listeners whose connections are on this shard.
class Listeners {
 public:
  // Starts the stream with an acknowledgement of the filter.
  void open(const boost::json::value& rpc_id, ListenFilter filter,
            const boost::json::object& server_info, std::shared_ptr<StreamConnection> connection,
            std::unique_ptr<http::Transport> transport, std::string head);

  void announce(const Change& change);

  // Ends each stream with the response to its request.
  void finish_all();

 private:
  struct Listener {
    boost::json::value rpc_id;
    ListenFilter filter;
    boost::json::object server_info;
    std::shared_ptr<StreamConnection> connection;
    std::size_t unsent = 0;  // bytes not yet written to the connection
  };

  static void send(Listener& listener, std::string message);

  std::unordered_map<const StreamConnection*, Listener> listeners_;
};

}  // namespace oriel::mcp
