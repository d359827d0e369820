#pragma once
// A request body read in pieces, for uploads too large to buffer.

#include "http/response.h"
#include "runtime/asio.h"

#include <boost/system/result.hpp>

#include <string>

namespace oriel::http {

// Bytes of a body; empty at its end. The error is the response to send: the body is malformed, too
// large or late, or the client disconnected.
using BodyPart = boost::system::result<std::string, Response>;

// Lives on its connection's shard while the handler runs. Reads from the socket only on demand.
class RequestBody {
 public:
  virtual ~RequestBody() = default;

  virtual asio::awaitable<BodyPart> next() = 0;
};

}  // namespace oriel::http
