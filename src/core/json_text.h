#pragma once
// JSON in one line, as people write it.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace oriel {

// Like boost::json::serialize, but a number keeps its usual shape: 1.5, not 1.5E0.
std::string json_text(const boost::json::value& value);
std::string json_text(const boost::json::object& object);  // without a copy of it

}  // namespace oriel
