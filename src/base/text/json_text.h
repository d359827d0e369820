#pragma once
// Compact JSON with plain decimal numbers.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel {

// Like boost::json::serialize, but writes 1.5 instead of 1.5E0.
std::string json_text(const boost::json::value& value);
std::string json_text(const boost::json::object& object);  // avoids a copy

// Append to `out`.
void append_json(std::string& out, const boost::json::value& value);
void append_json_string(std::string& out, std::string_view text);

// The number of bytes that append_json_string() appends.
std::size_t json_string_size(std::string_view text);

}  // namespace oriel
