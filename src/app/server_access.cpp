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
  const std::string status = "the server answered " + std::to_string(answer.status);
  Error error{.code = "refused", .message = status, .hint = {}};
  if (answer.status == 401) error.hint = "give a token by --token or ORIEL_TOKEN";
  if (const auto location = answer.header("location"); location && answer.status / 100 == 3) {
    error.hint = "redirects are not followed; it points to " + printable(*location);
  }
  boost::system::error_code not_json;
  const auto body = boost::json::parse(answer.body, not_json);
  const auto* const object = not_json ? nullptr : body.if_object();
  const auto* const inner = object == nullptr ? nullptr : object->if_contains("error");
  if (inner == nullptr || !inner->is_object()) return error;
  const std::string message = text_at(inner->get_object(), "message");
  if (!message.empty()) error.message = status + ": " + message;
  const std::string hint = text_at(inner->get_object(), "hint");
  if (!hint.empty()) error.hint = hint;
  return error;
}

}  // namespace oriel
