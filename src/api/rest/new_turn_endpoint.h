#pragma once
// POST /api/turns: spoken messages and uploaded files.

#include "api/visible_sessions.h"
#include "http/router.h"

#include <optional>
#include <string_view>

namespace oriel {

struct NewTurnLimits {
  std::uint64_t max_text_bytes = 1 << 20;  // of a JSON body, or of all fields of a form
};

// Parses the time of a spoken message. None if the device's clock is slightly ahead of `now`: then
// the server's time applies.
Result<std::optional<WallTime>> parse_said_at(std::string_view text, WallTime now);

// Must outlive the HTTP server.
class NewTurnEndpoint {
 public:
  NewTurnEndpoint(VisibleSessions& sessions, NewTurnLimits limits)
      : sessions_(sessions), limits_(limits) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> take(http::Request request, http::RequestBody& body);
  asio::awaitable<http::Response> take_voice(http::Request request, http::RequestBody& body);
  asio::awaitable<http::Response> take_upload(http::Request request, http::RequestBody& body);
  asio::awaitable<Result<void>> check_session(Principal principal, std::string session_id);
  asio::awaitable<std::vector<TurnFile>> files_of(Principal principal, std::string session_id,
                                                  std::string turn_id);

  VisibleSessions& sessions_;
  NewTurnLimits limits_;
};

}  // namespace oriel
