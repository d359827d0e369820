#pragma once
// A request's body as a JSON object whose keys are known and of the right type.

#include "http/request.h"
#include "http/response.h"

#include <boost/json/object.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Whether the request says that its body is JSON.
bool has_json_body(const Request& request);
Response not_json();  // 415

// Reads each key once; the first thing that is wrong is kept, and names its key.
class JsonBody {
 public:
  // An empty body is an empty object. A key that is not among `known` is wrong.
  JsonBody(const Request& request, std::initializer_list<std::string_view> known);

  bool has(std::string_view key) const { return object_.contains(key); }

  std::string text(std::string_view key);                // empty when it is not there
  std::string name(std::string_view key);                // the same, for a name (core/id.h)
  std::vector<std::string> texts(std::string_view key);  // a list of strings
  std::string choice(std::string_view key, std::initializer_list<std::string_view> choices);

  void refuse(std::string_view key, const std::string& problem);

  // What to answer when something is wrong: 400, or 415.
  const std::optional<Response>& refusal() const { return refusal_; }

 private:
  void refuse(const std::string& problem);

  boost::json::object object_;
  std::string known_;  // for hints
  std::optional<Response> refusal_;
};

}  // namespace oriel
