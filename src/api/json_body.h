#pragma once
// A request's body as a JSON object whose keys are known and of the right type.

#include "api/object_reader.h"
#include "http/request.h"
#include "http/response.h"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace oriel {

// Whether the request says that its body is JSON.
bool has_json_body(const http::Request& request);
http::Response not_json();  // 415

// What a body is: an object, or why it is none.
struct ParsedBody {
  boost::json::object object;
  std::string problem;
};

class JsonBody : public ObjectReader {
 public:
  // An empty body is an empty object.
  JsonBody(const http::Request& request, std::initializer_list<std::string_view> known);

  // What to answer when something is wrong: 400, or 415.
  std::optional<http::Response> refusal() const;

 private:
  JsonBody(ParsedBody body, std::initializer_list<std::string_view> known);

  bool is_json_ = true;
};

}  // namespace oriel
