#include "app/server_access.h"

#include "app/printable.h"

#include <boost/json/parse.hpp>

namespace oriel {
namespace {

std::string text_at(const boost::json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  const auto* const text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : printable(std::string_view(*text));
}

// The "error" object of the server's body; empty when it sent none.
boost::json::object error_in(const HttpAnswer& answer) {
  boost::system::error_code not_json;
  const auto body = boost::json::parse(answer.body, not_json);
  const auto* const object = not_json ? nullptr : body.if_object();
  const auto* const inner = object == nullptr ? nullptr : object->if_contains("error");
  if (inner == nullptr || !inner->is_object()) return {};
  return inner->get_object();
}

std::string hint_for(const HttpAnswer& answer, const boost::json::object& error) {
  // The server's own hint speaks of headers, which the command line hides.
  if (answer.status == 401)
    return "give a token by --token or ORIEL_TOKEN; oriel token create NAME makes one";
  const auto location = answer.header("location");
  if (location && answer.status / 100 == 3) {
    return "redirects are not followed; it points to " + printable(*location);
  }
  return text_at(error, "hint");
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
  const boost::json::object sent = error_in(answer);
  const std::string message = text_at(sent, "message");
  return {.code = "refused",
          .message = "the server answered " + std::to_string(answer.status) +
                     (message.empty() ? "" : ": " + message),
          .hint = hint_for(answer, sent)};
}

}  // namespace oriel
