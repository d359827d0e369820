#pragma once
// JSON for files that people read and write. Pure.

#include <boost/json/value.hpp>

#include <string>

namespace oriel {

// One member or item per line, indented by `indent`. Lines after the first begin with `margin`. No
// line break at the end.
std::string pretty_json(const boost::json::value& value, const std::string& indent,
                        const std::string& margin = {});

// The indentation of the second line if the first is a bracket, else two spaces.
std::string indent_of(const std::string& text);

}  // namespace oriel
