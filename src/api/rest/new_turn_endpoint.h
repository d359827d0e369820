#pragma once
// POST /api/turns: what people do not write but speak, or send as files, becomes a turn of a
// session.

#include "http/router.h"
#include "supervisor/supervisor.h"

#include <optional>
#include <string_view>

namespace oriel {

struct NewTurnLimits {
  std::uint64_t max_text_bytes = 1 << 20;  // of a JSON body, or of a form's fields
};

// When a person's device says that something was said; none: by our own clock, because the device
// says nothing, or is ahead of us by a little. Errors name what is wrong with it.
Result<std::optional<WallTime>> parse_said_at(std::string_view text, WallTime now);

// Owned by the app.
class NewTurnEndpoint {
 public:
  NewTurnEndpoint(Supervisor& supervisor, NewTurnLimits limits)
      : supervisor_(supervisor), limits_(limits) {}

  // Adds /api/turns.
  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> take(http::Request request, http::RequestBody& body);
  asio::awaitable<http::Response> take_voice(http::Request request, http::RequestBody& body);
  asio::awaitable<http::Response> take_upload(http::Request request, http::RequestBody& body);
  asio::awaitable<Result<void>> check_session(std::string session_id);
  asio::awaitable<std::vector<TurnFile>> files_of(std::string session_id, std::string turn_id);

  Supervisor& supervisor_;
  NewTurnLimits limits_;
};

}  // namespace oriel
