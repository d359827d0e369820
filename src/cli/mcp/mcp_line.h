#pragma once
// One line of an MCP client, and the HTTP headers of its POST. Pure.

#include "mcp/rpc.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {

enum class McpLineKind {
  kInitialize,   // starts a session
  kInitialized,  // the client is ready
  kCancel,       // cancels the request `cancelled`
  kRequest,      // expects a response, as does a batch with any request
  kNotice,       // a notification or a response: expects none
};

struct McpLine {
  McpLineKind kind = McpLineKind::kNotice;
  std::string text;                     // as received; posted as is
  std::string method;                   // empty for a batch and a response
  boost::json::object params;           // likewise
  std::vector<boost::json::value> ids;  // of the requests in it
  boost::json::value cancelled;         // null if none
  std::string version;  // of a stateless request, from _meta; empty within a session
};

// Accepts any bytes. A fault names the problem and the request id.
boost::system::result<McpLine, mcp::RpcFault> read_mcp_line(std::string text);

// True for a request that stays open until its client leaves; the end of the input does not wait
// for it.
bool is_listening(const McpLine& line);

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Headers of a stateless POST: version, method and name, as in the body.
HttpHeaders stateless_headers(const McpLine& line);

}  // namespace oriel
