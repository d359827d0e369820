#include "client/server_access.h"

#include "base/json_access.h"
#include "base/printable.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

namespace oriel {
namespace {

// Whatever a server sends, it cannot command the terminal.
std::string line_at(const boost::json::object& object, std::string_view key) {
  return printable(text_at(object, key));
}

std::string hint_for(const HttpAnswer& answer, const boost::json::object& error) {
  // The server's own hint speaks of headers, which the command line hides.
  if (answer.status == 401)
    return "give a token by --token or ORIEL_TOKEN; oriel token create NAME makes one";
  const auto location = answer.header("location");
  if (location && answer.status / 100 == 3) {
    return "redirects are not followed; it points to " + printable(*location);
  }
  return line_at(error, "hint");
}

}  // namespace

HttpRequest make_request(const ServerAccess& access, std::string method, std::string target) {
  HttpRequest request{
      .method = std::move(method), .server = access.url, .target = std::move(target)};
  if (!access.token.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + access.token);
  }
  return request;
}

Error refusal_of(const HttpAnswer& answer) {
  const boost::json::object sent = object_of(member(parse_object(answer.body), "error"));
  const std::string message = line_at(sent, "message");
  return {.kind = parse_error_code(text_at(sent, "code")),
          .message = "the server answered " + std::to_string(answer.status) +
                     (message.empty() ? "" : ": " + message),
          .hint = hint_for(answer, sent)};
}

Error away_error(const ServerAccess& access, Error error) {
  error.message = access.url.origin() + ": " + error.message;
  if (error.hint.empty()) error.hint = "is the server running? --url (ORIEL_URL) names another";
  return error;
}

Result<HttpAnswer> fetch_now(HttpRequest request, HttpDeadlines deadlines) {
  asio::io_context io(1);
  auto answer = asio::co_spawn(io, fetch(std::move(request), deadlines), asio::use_future);
  io.run();
  return answer.get();
}

}  // namespace oriel
