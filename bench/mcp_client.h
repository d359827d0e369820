#pragma once
// An MCP client of 2025-11-25 as far as a load needs one: requests one after another over one
// connection, and the bytes of the requests that others send by themselves.

#include "tcp.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

struct McpAnswer {
  std::string session;  // Mcp-Session-Id, if it gives one
  std::string body;
};

class McpClient {
 public:
  explicit McpClient(std::uint16_t port);

  // Begins a session and returns its id.
  std::string begin();

  // Throws if the answer is no success, no JSON, or an error.
  boost::json::object call(const std::string& session, std::string_view method,
                           const boost::json::object& params);

 private:
  McpAnswer ask(const std::string& session, std::string_view body);

  std::uint16_t port_;
  Descriptor socket_;
};

// A POST of a message, and a GET of the session's stream, after an event or from now on.
std::string mcp_post(std::uint16_t port, const std::string& session, std::string_view body);
std::string mcp_get(std::uint16_t port, const std::string& session, const std::string& after = {});

std::string rpc_message(std::string_view method, const boost::json::object& params);

}  // namespace oriel
