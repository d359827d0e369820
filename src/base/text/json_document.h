#pragma once
// Reads JSON that Oriel has written and stored. Throws if a member is missing or malformed.

#include "base/time.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace oriel {

std::string string_in(const boost::json::value& value);
WallTime time_in(const boost::json::value& value);  // from milliseconds since 1970-01-01

// The same of an object's member.
std::string string_at(const boost::json::object& object, std::string_view key);
WallTime time_at(const boost::json::object& object, std::string_view key);

}  // namespace oriel
