#pragma once
// Reads untrusted JSON. A member that is missing or has another type reads as null or empty, at any
// depth.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The object in `text`; empty if it is anything else.
boost::json::object parse_object(std::string_view text);

// The value at the path `key`, `keys`; null if there is none.
const boost::json::value& member(const boost::json::object& from, std::string_view key);
const boost::json::value& member(const boost::json::value& from, std::string_view key);

template <class From>
const boost::json::value& member(const From& from, std::string_view key,
                                 std::convertible_to<std::string_view> auto... keys) {
  return member(member(from, key), keys...);
}

// Empty, none or false for a value of another type.
std::string_view text_of(const boost::json::value& value);
const boost::json::object& object_of(const boost::json::value& value);
const boost::json::array& elements_of(const boost::json::value& value);
std::optional<std::int64_t> number_of(const boost::json::value& value);
bool is_true(const boost::json::value& value);

// Copies of the objects in an array, without its other elements.
std::vector<boost::json::object> objects_of(const boost::json::value& value);

// Copies of an object's members, except those with these names and nulls.
boost::json::object rest_of(const boost::json::value& from,
                            std::initializer_list<std::string_view> names);

// A copy of the string at the path.
std::string text_at(const auto& from, std::convertible_to<std::string_view> auto... keys) {
  return std::string(text_of(member(from, keys...)));
}

}  // namespace oriel
