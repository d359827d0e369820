#pragma once
// GET /api/sessions/{id}/files/{file_id}: a file that came with a turn, as a download and nothing
// else.

#include "http/router.h"
#include "supervisor/supervisor.h"

#include <string>
#include <string_view>

namespace oriel {

// What a file of this type is served as: pictures and plain text as themselves, everything else as
// bytes, so that no browser ever runs it.
std::string_view served_type(std::string_view type);

// `attachment; filename="..."; filename*=UTF-8''...` for a name of safe_file_name().
std::string disposition_of(std::string_view name);

// Owned by the app.
class FileEndpoint {
 public:
  explicit FileEndpoint(Supervisor& supervisor) : supervisor_(supervisor) {}

  void add_routes(http::Router& router);

 private:
  asio::awaitable<http::Response> serve(http::Request request);

  Supervisor& supervisor_;
};

}  // namespace oriel
