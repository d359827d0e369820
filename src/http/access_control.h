#pragma once
// The interface between the HTTP server and access control, implemented by auth. The server can be
// used and tested without it.

#include "http/request.h"
#include "http/response.h"
#include "http/router.h"

#include <optional>

namespace oriel::http {

// Const and safe on any shard; outlives the server.
class AccessControl {
 public:
  virtual ~AccessControl() = default;

  // Called between the head and the body. Sets request.principal, or returns a response: a
  // rejection, or the response to a CORS preflight. `route` is null if the router has none.
  virtual std::optional<Response> check(const Route* route, Request& request) const = 0;

  // Headers to add to every response to this request.
  virtual Headers response_headers(const Request& request) const = 0;
};

}  // namespace oriel::http
