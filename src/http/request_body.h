#pragma once
// A request's body that is taken as it comes, for what is too large to be held.

#include "http/response.h"
#include "runtime/asio.h"

#include <boost/system/result.hpp>

#include <string>

namespace oriel::http {

// Some bytes of a body; none at its end. An error is the answer to give: the body is malformed or
// too large, did not come in time, or its sender is gone.
using BodyPart = boost::system::result<std::string, Response>;

// Lives on its connection's shard, as long as the handler that it is given to. Nothing more is read
// of a body that its handler does not ask for.
class RequestBody {
 public:
  virtual ~RequestBody() = default;

  virtual asio::awaitable<BodyPart> next() = 0;
};

}  // namespace oriel::http
