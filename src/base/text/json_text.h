#pragma once
// JSON in one line, as people write it.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace oriel {

// Like boost::json::serialize, but a number keeps its usual shape: 1.5, not 1.5E0.
std::string json_text(const boost::json::value& value);
std::string json_text(const boost::json::object& object);  // without a copy of it

// The same at the end of what is there.
void append_json(std::string& out, const boost::json::value& value);
void append_json_string(std::string& out, std::string_view text);

}  // namespace oriel
