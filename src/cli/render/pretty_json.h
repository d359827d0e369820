#pragma once
// JSON for files that people read and write. Pure.

#include <boost/json/value.hpp>

#include <string>

namespace oriel {

// A member or item a line. Every line but the first begins with `margin`, and what is inside with
// `indent` more. No line break at the end.
std::string pretty_json(const boost::json::value& value, const std::string& indent,
                        const std::string& margin = {});

// As the file's own second line has it, if the first is a bracket; else two spaces.
std::string indent_of(const std::string& text);

}  // namespace oriel
