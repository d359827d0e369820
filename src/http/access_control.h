#pragma once
// The seam between the HTTP server and access control: the server asks, auth answers. Without
// product words here, the server can be used and tested on its own.

#include "http/request.h"
#include "http/response.h"
#include "http/router.h"

#include <optional>

namespace oriel::http {

// Const and safe on any shard; outlives the server.
class AccessControl {
 public:
  virtual ~AccessControl() = default;

  // Before routing. Returns the refusal of a request whose Host or Origin is not accepted.
  virtual std::optional<Response> check_origin(const Request& request) const = 0;

  // After routing. Sets request.principal, or returns the refusal.
  virtual std::optional<Response> authorize(const Route& route, Request& request) const = 0;
};

}  // namespace oriel::http
