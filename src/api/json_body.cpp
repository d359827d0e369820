#include "api/json_body.h"

#include "api/error_response.h"
#include "base/text/ascii.h"

#include <boost/json/parse.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

ParsedBody parse_body(const http::Request& request) {
  if (request.body.empty()) return {};
  if (!has_json_body(request)) return {.object = {}, .problem = {}, .is_json = false};
  boost::system::error_code ec;
  json::value value = json::parse(request.body, ec);
  if (ec) return {.object = {}, .problem = "the body is not JSON: " + ec.message()};
  if (!value.is_object()) return {.object = {}, .problem = "the body is not a JSON object"};
  return {.object = std::move(value.get_object()), .problem = {}};
}

}  // namespace

bool has_json_body(const http::Request& request) {
  const auto type = request.header("content-type");
  if (!type) return false;
  return equal_ignoring_case(type->substr(0, type->find_first_of("; \t")), "application/json");
}

http::Response not_json() {
  return error_response({.kind = ErrorKind::kUnsupportedMediaType,
                         .message = "the body must be JSON",
                         .hint = "send the header 'Content-Type: application/json'"});
}

JsonBody::JsonBody(const http::Request& request, std::initializer_list<std::string_view> known)
    : JsonBody(parse_body(request), known) {}

JsonBody::JsonBody(ParsedBody body, std::initializer_list<std::string_view> known)
    : ObjectReader(std::move(body.object), known), is_json_(body.is_json) {
  if (!body.problem.empty()) refuse(body.problem);
}

std::optional<http::Response> JsonBody::refusal() const {
  if (!is_json_) return not_json();
  if (error()) return error_response(*error());
  return std::nullopt;
}

}  // namespace oriel
