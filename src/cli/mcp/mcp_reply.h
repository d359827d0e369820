#pragma once
// What the server's answers mean for a client of `oriel mcp`: which lines it gets, and what is
// still owed to it. Pure.

#include "client/server_access.h"
#include "mcp/rpc.h"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr int kConnectionError = -32000;  // no answer could be had

// What requests are still owed.
class McpReply {
 public:
  explicit McpReply(std::vector<boost::json::value> ids) : owed_(std::move(ids)) {}

  struct Taken {
    std::string line;                       // for the client; empty: nothing
    std::vector<mcp::RpcResponse> answers;  // that it holds
    bool is_message = true;                 // false: not JSON-RPC, and the client must not see it
  };

  // One message of the server, or a batch. Answers that nobody waits for, as those that come
  // twice, are left out.
  Taken take(std::string_view message);

  bool is_complete() const { return owed_.empty(); }

  // An error for each request that is still owed an answer; from now on none is.
  std::vector<std::string> fail(const mcp::RpcError& error);

 private:
  bool settle(const boost::json::value& id);

  std::vector<boost::json::value> owed_;
};

enum class AfterPost {
  kStream,    // read the answer's messages as they come
  kBody,      // the answer is one message
  kAccepted,  // there is no answer
  kGone,      // there is no such session, or no such place
  kRefused,
};

AfterPost after_post(const HttpAnswer& answer);

enum class AfterGet {
  kStream,
  kDone,    // all of the stream was received before
  kGone,    // there is no such session
  kPurged,  // what comes next is no longer held
  kTaken,   // the session's own stream is open elsewhere
  kNone,    // this server opens no streams
  kRetry,   // the server may take us later
  kRefused,
};

AfterGet after_get(const HttpAnswer& answer);

// What a request that got this answer is told: the server's own JSON-RPC error if it sent one.
mcp::RpcError refusal_error(const HttpAnswer& answer);

// What a request that got none is told.
mcp::RpcError connection_error(const Error& error);

// Whether these ids are of one stream; so are ids that are not of Oriel's kind.
bool is_same_stream(std::string_view id, std::string_view other);

}  // namespace oriel
