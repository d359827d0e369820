#pragma once
// A minimal MCP client (protocol version 2025-11-25): sends one request at a time over one
// connection, and formats requests for connections that the caller manages.

#include "tcp.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

struct McpAnswer {
  std::string session;  // Mcp-Session-Id, if present
  std::string body;
};

class McpClient {
 public:
  explicit McpClient(std::uint16_t port);

  // Starts a session and returns its id.
  std::string begin();

  // Throws unless the response is a JSON-RPC result.
  boost::json::object call(const std::string& session, std::string_view method,
                           const boost::json::object& params);

 private:
  McpAnswer ask(const std::string& session, std::string_view body);

  std::uint16_t port_;
  Descriptor socket_;
};

// A POST of a message, and a GET of the session's stream, optionally resuming after an event.
std::string mcp_post(std::uint16_t port, const std::string& session, std::string_view body);
std::string mcp_get(std::uint16_t port, const std::string& session, const std::string& after = {});

std::string rpc_message(std::string_view method, const boost::json::object& params);

}  // namespace oriel
