#pragma once
// A JSON object whose keys are known and of the right type: what a client sends as a request's body
// or as a tool's arguments.

#include "base/error.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Reads each key once; the first thing that is wrong is kept, and names its key.
class ObjectReader {
 public:
  // A key that is not among `known` is wrong.
  ObjectReader(boost::json::object object, std::initializer_list<std::string_view> known);

  bool has(std::string_view key) const { return object_.contains(key); }

  std::string text(std::string_view key);                // empty when it is not there
  std::string name(std::string_view key);                // the same, for a name (base/id.h)
  std::vector<std::string> texts(std::string_view key);  // a list of strings
  std::vector<std::string> names(std::string_view key);  // a list of names
  std::string choice(std::string_view key, std::initializer_list<std::string_view> choices);
  std::optional<bool> flag(std::string_view key);
  std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t min,
                      std::int64_t max);

  void refuse(std::string_view key, const std::string& problem);
  void refuse(const std::string& problem);

  // What is wrong: invalid_request.
  const std::optional<Error>& error() const { return error_; }

 private:
  boost::json::object object_;
  std::string known_;  // for hints
  std::optional<Error> error_;
};

}  // namespace oriel
