#pragma once
// subscriptions/listen of 2026-07-28: streams on which clients without session learn of changes.

#include "http/transport.h"
#include "mcp/change.h"
#include "mcp/rpc.h"
#include "mcp/streams/stream_connection.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace oriel::mcp {

// Which changes a client asked for, of those that there are.
struct ListenFilter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string, std::less<>> uris;
  std::set<std::string, std::less<>> tasks;

  bool wants(const Change& change) const;
};

// params.notifications; an error (kInvalidParams) if it is malformed.
boost::system::result<ListenFilter, RpcError> parse_listen_filter(
    const boost::json::object& params);

// Lives on one shard: those whose connections are there.
class Listeners {
 public:
  // Begins with the acknowledgement of what it listens to.
  void open(const boost::json::value& rpc_id, ListenFilter filter,
            const boost::json::object& server_info, std::shared_ptr<StreamConnection> connection,
            std::unique_ptr<http::Transport> transport, std::string head);

  void announce(const Change& change);

  // Tells each that it is over, as the answer to its request.
  void finish_all();

 private:
  struct Listener {
    boost::json::value rpc_id;
    ListenFilter filter;
    boost::json::object server_info;
    std::shared_ptr<StreamConnection> connection;
    std::size_t unsent = 0;  // bytes that the connection has not taken
  };

  static void send(Listener& listener, std::string message);

  std::unordered_map<const StreamConnection*, Listener> listeners_;
};

}  // namespace oriel::mcp
