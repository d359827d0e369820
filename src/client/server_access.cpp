#include "client/server_access.h"

#include "base/text/json_access.h"
#include "base/text/printable.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

namespace oriel {
namespace {

// Removes control characters that a server may send.
std::string line_at(const boost::json::object& object, std::string_view key) {
  return printable(text_at(object, key));
}

std::string hint_for(const HttpResponse& response, const boost::json::object& error) {
  // The server's own hint names headers, which commands do not have.
  if (response.status == 401)
    return "set a token with --token or ORIEL_TOKEN; oriel token create NAME creates one";
  const auto location = response.header("location");
  if (location && response.status / 100 == 3) {
    return "redirects are not followed; it points to " + printable(*location);
  }
  return line_at(error, "hint");
}

}  // namespace

bool is_local(const http::Url& url) {
  return url.host == "localhost" || url.host == "::1" || url.host.starts_with("127.");
}

HttpRequest make_request(const ServerAccess& access, std::string method, std::string target) {
  HttpRequest request{
      .method = std::move(method), .server = access.url, .target = std::move(target)};
  if (!access.token.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + access.token);
  }
  return request;
}

Error response_error(const HttpResponse& response) {
  const boost::json::object sent = object_of(member(parse_object(response.body), "error"));
  const std::string message = line_at(sent, "message");
  return {.kind = parse_error_code(text_at(sent, "code")),
          .message = "the server answered " + std::to_string(response.status) +
                     (message.empty() ? "" : ": " + message),
          .hint = hint_for(response, sent)};
}

Error unreachable_error(const ServerAccess& access, Error error) {
  error.message = access.url.origin() + ": " + error.message;
  if (error.hint.empty()) error.hint = "is the server running? --url (ORIEL_URL) selects another";
  return error;
}

Result<HttpResponse> fetch_now(HttpRequest request, HttpDeadlines deadlines) {
  asio::io_context io(1);
  auto response = asio::co_spawn(io, fetch(std::move(request), deadlines), asio::use_future);
  io.run();
  return response.get();
}

}  // namespace oriel
