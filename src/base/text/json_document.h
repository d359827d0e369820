#pragma once
// Reads JSON that Oriel has written and stored. Throws if a member is missing or malformed.

#include "base/time.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The members of an object, which outlives this.
class DocumentFields {
 public:
  explicit DocumentFields(const boost::json::value& object) : object_(object.as_object()) {}

  const boost::json::value& at(std::string_view key) const { return object_.at(key); }

  std::string text(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;

  std::uint64_t number(std::string_view key) const { return at(key).to_number<std::uint64_t>(); }

  std::int64_t index(std::string_view key) const { return at(key).to_number<std::int64_t>(); }

  bool flag(std::string_view key) const { return at(key).as_bool(); }

  WallTime time(std::string_view key) const;  // from milliseconds since 1970-01-01

  const boost::json::array& array(std::string_view key) const { return at(key).as_array(); }

  // None for null.
  std::optional<WallTime> time_or_none(std::string_view key) const;

  // For members that are left out when they are empty.
  bool has(std::string_view key) const { return object_.contains(key); }

  std::string text_if_any(std::string_view key) const;
  const boost::json::array& array_if_any(std::string_view key) const;

 private:
  const boost::json::object& object_;
};

}  // namespace oriel
