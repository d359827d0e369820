#pragma once
// GET /api/sessions/{id}/files/{file_id}: downloads a file that was uploaded with a turn.

#include "api/visible_sessions.h"
#include "http/router.h"

#include <string>
#include <string_view>

namespace oriel {

// The Content-Type for a file of this type: images and plain text keep theirs, all else becomes
// application/octet-stream, so that no browser runs an uploaded file.
std::string_view served_type(std::string_view type);

// Must outlive the HTTP server.
class FileEndpoint {
 public:
  explicit FileEndpoint(VisibleSessions& sessions) : sessions_(sessions) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> serve(http::Request request);

  VisibleSessions& sessions_;
};

}  // namespace oriel
