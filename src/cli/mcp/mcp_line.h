#pragma once
// What a client of `oriel mcp` says in one line, and the headers that HTTP needs beside it. Pure.

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
  kInitialize,   // begins a session
  kInitialized,  // the client is ready for what the server has to say
  kCancel,       // of a request: its id is in `cancelled`
  kRequest,      // wants an answer; of a batch, that some of it does
  kNotice,       // wants none: a notification, or an answer to the server
};

struct McpLine {
  McpLineKind kind = McpLineKind::kNotice;
  std::string text;                     // as it came, to be posted
  std::string method;                   // empty for a batch and for an answer
  boost::json::object params;           // likewise
  std::vector<boost::json::value> ids;  // of the requests in it
  boost::json::value cancelled;         // null: nothing
  std::string version;                  // of the stateless era, from _meta; empty: of a session
};

// Any bytes. A fault says what is wrong with them, under which id.
boost::system::result<McpLine, mcp::RpcFault> read_mcp_line(std::string text);

// Open for as long as its client listens: the end of the input does not wait for it.
bool is_listening(const McpLine& line);

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Of a POST in the stateless era: the version, the method and what it is about, as the body says.
HttpHeaders stateless_headers(const McpLine& line);

}  // namespace oriel
