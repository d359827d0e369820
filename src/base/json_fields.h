#pragma once
// Reading JSON that somebody else wrote: what is missing or of another type is simply not there.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The object that `text` holds; empty when it holds none.
boost::json::object parse_object(std::string_view text);

std::string text_at(const boost::json::object& object, std::string_view key);
std::optional<std::int64_t> number_at(const boost::json::object& object, std::string_view key);
bool is_true_at(const boost::json::object& object, std::string_view key);
boost::json::object object_at(const boost::json::object& object, std::string_view key);

// The objects of a list, and the strings of one.
std::vector<boost::json::object> objects_at(const boost::json::object& object,
                                            std::string_view key);
std::vector<std::string> texts_at(const boost::json::object& object, std::string_view key);

}  // namespace oriel
