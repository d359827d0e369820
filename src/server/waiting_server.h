#pragma once
// Answers for a node that waits for what it needs before it can start.

#include "http/access_control.h"
#include "http/server.h"
#include "runtime/shards.h"

#include <functional>
#include <string>

namespace oriel {

// Tells why the node waits: /ready with 503, /health as a problem, everything else with 503. Has a
// thread of its own.
class WaitingServer {
 public:
  // `reason` is called on that thread. Throws as http::Server.
  WaitingServer(http::ServerOptions options, http::Listeners listeners,
                std::function<std::string()> reason);

  // Returns the listeners for the server that follows. Connections that arrive meanwhile wait for
  // it.
  http::Listeners finish();

  ~WaitingServer() { finish(); }

  WaitingServer(const WaitingServer&) = delete;
  WaitingServer& operator=(const WaitingServer&) = delete;

 private:
  class Answers final : public http::AccessControl {
   public:
    explicit Answers(std::function<std::string()> reason) : reason_(std::move(reason)) {}

    std::optional<http::Response> check(const http::Route* route,
                                        http::Request& request) const override;

    http::Headers response_headers(const http::Request&) const override { return {}; }

   private:
    std::function<std::string()> reason_;
  };

  Shards shards_{1};
  http::Router routes_;  // none: its access control answers
  Answers answers_;
  http::Server http_;
  bool is_finished_ = false;
};

}  // namespace oriel
