#pragma once
// Checked reading of a JSON object that a client sends as a request body or as a tool's arguments.

#include "base/error.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Keeps the first error, which names its key.
class ObjectReader {
 public:
  // A key that `known` lacks is an error.
  ObjectReader(boost::json::object object, std::initializer_list<std::string_view> known);

  bool has(std::string_view key) const { return object_.contains(key); }

  std::string text(std::string_view key);                // empty if absent
  std::string name(std::string_view key);                // the same for a name (base/id.h)
  std::string path(std::string_view key);                // the same for a path, without NUL
  std::vector<std::string> texts(std::string_view key);  // a list of strings
  std::vector<std::string> paths(std::string_view key);  // a list of paths
  std::vector<std::string> names(std::string_view key);  // a list of names
  std::string choice(std::string_view key, std::initializer_list<std::string_view> choices);
  std::string choice(std::string_view key, std::span<const std::string_view> choices);
  std::optional<bool> flag(std::string_view key);
  std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t min,
                      std::int64_t max);

  void refuse(std::string_view key, const std::string& problem);
  void refuse(const std::string& problem);

  // Of kind kInvalidRequest.
  const std::optional<Error>& error() const { return error_; }

 private:
  void refuse_nul(std::string_view key, const std::string& path);

  boost::json::object object_;
  std::string known_;  // for hints
  std::optional<Error> error_;
};

}  // namespace oriel
