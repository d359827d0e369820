#pragma once
// What the server's HTTP responses mean for a client of `oriel mcp`. Pure.

#include "client/server_access.h"
#include "mcp/rpc.h"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr int kConnectionError = -32000;  // no response from the server

// Tracks the requests of one call that still need a response.
class McpReply {
 public:
  explicit McpReply(std::vector<boost::json::value> ids) : pending_(std::move(ids)) {}

  struct Taken {
    std::string line;                       // for the client; empty if none
    std::vector<mcp::RpcResponse> answers;  // in this line
    bool is_message = true;                 // false: not JSON-RPC; not forwarded
  };

  // Takes one message of the server, or a batch. Drops responses that are not pending, such as
  // duplicates.
  Taken take(std::string_view message);

  bool is_complete() const { return pending_.empty(); }

  // Error responses for all pending requests; none is pending afterwards.
  std::vector<std::string> fail(const mcp::RpcError& error);

 private:
  bool settle(const boost::json::value& id);

  std::vector<boost::json::value> pending_;
};

enum class AfterPost {
  kStream,    // read messages from the response as they arrive
  kBody,      // the response is one message
  kAccepted,  // no response follows
  kGone,      // no such session or path
  kRefused,
};

AfterPost after_post(const HttpResponse& answer);

enum class AfterGet {
  kStream,
  kDone,    // the stream ended and was received completely
  kGone,    // no such session
  kPurged,  // the next events are no longer held
  kTaken,   // the session's own stream is already open
  kNone,    // the server does not support streams
  kRetry,   // may succeed later
  kRefused,
};

AfterGet after_get(const HttpResponse& answer);

// The error for a request with this response: the server's JSON-RPC error if it sent one.
mcp::RpcError rejection_error(const HttpResponse& answer);

// The error for a request without a response.
mcp::RpcError connection_error(const Error& error);

// Whether two event ids belong to one stream. Ids of unknown form do.
bool is_same_stream(std::string_view id, std::string_view other);

}  // namespace oriel
