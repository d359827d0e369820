#pragma once
// A request body that must be a JSON object with known keys.

#include "api/object_reader.h"
#include "http/request.h"
#include "http/response.h"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace oriel {

// Whether the Content-Type is application/json.
bool has_json_body(const http::Request& request);
http::Response not_json();  // 415

// An object, or the reason why the body is not one.
struct ParsedBody {
  boost::json::object object;
  std::string problem;
  bool is_json = true;  // the Content-Type says so, or the body is empty
};

class JsonBody : public ObjectReader {
 public:
  // An empty body is an empty object.
  JsonBody(const http::Request& request, std::initializer_list<std::string_view> known);

  // The response if the body is wrong: 400 or 415.
  std::optional<http::Response> refusal() const;

 private:
  JsonBody(ParsedBody body, std::initializer_list<std::string_view> known);

  bool is_json_;
};

}  // namespace oriel
