#pragma once
// Browsers log in by one-time links, which become cookies; clients that cannot send headers get
// one-use tickets.

#include "api/audit_log.h"
#include "auth/auth_refusals.h"
#include "auth/one_time_codes.h"
#include "auth/token_store.h"
#include "http/router.h"
#include "runtime/blocking_thread.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace oriel {

struct LoginOptions {
  std::string public_url = {};  // base URL of links; empty: the URL that the client used
  std::chrono::milliseconds link_ttl = std::chrono::minutes(10);
  std::chrono::milliseconds ticket_ttl = std::chrono::seconds(30);
  std::chrono::milliseconds login_ttl = std::chrono::hours(24 * 30);  // of the cookie
  // In a cluster: uses up the code of another node's link.
  std::function<asio::awaitable<std::optional<Principal>>(std::string code)> redeem_elsewhere = {};
  // In a cluster: returns when the other nodes get the logins that this one has.
  std::function<asio::awaitable<void>()> share = {};
};

// Must outlive the HTTP server. `blocking` is the thread of the token store.
class LoginEndpoint {
 public:
  LoginEndpoint(TokenStore& tokens, OneTimeCodes& links, OneTimeCodes& tickets,
                BlockingThread& blocking, AuditLog& audit, AuthRefusals& refusals,
                LoginOptions options)
      : tokens_(tokens),
        links_(links),
        tickets_(tickets),
        blocking_(blocking),
        audit_(audit),
        refusals_(refusals),
        options_(std::move(options)) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> create_link(http::Request request, Shard& shard);
  asio::awaitable<http::Response> log_in(http::Request request, Shard& shard);
  http::Response wrong_code(const http::Request& request);
  asio::awaitable<http::Response> log_out(http::Request request, Shard& shard);
  asio::awaitable<http::Response> create_ticket(http::Request request, Shard& shard);
  asio::awaitable<http::Response> show_me(http::Request request, Shard& shard);

  TokenStore& tokens_;
  OneTimeCodes& links_;
  OneTimeCodes& tickets_;
  BlockingThread& blocking_;
  AuditLog& audit_;
  AuthRefusals& refusals_;
  LoginOptions options_;
};

}  // namespace oriel
