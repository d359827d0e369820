#pragma once
// GET /api/sessions/{id}/paths: files and directories of a workspace by a part of their path, to
// name them in a message. GET /api/directories: directories to start an agent in.

#include "api/visible_sessions.h"
#include "http/router.h"

#include <filesystem>
#include <utility>

namespace oriel {

// Must outlive the HTTP server.
class PathEndpoint {
 public:
  // `home` of the server's user stands for "~".
  PathEndpoint(VisibleSessions& sessions, std::filesystem::path home)
      : sessions_(sessions), home_(std::move(home)) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> find(http::Request request);
  asio::awaitable<http::Response> find_directories(http::Request request);

  VisibleSessions& sessions_;
  std::filesystem::path home_;
};

}  // namespace oriel
