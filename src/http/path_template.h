#pragma once
// Templates of paths and URIs such as "/api/clients/{id}".

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::http {

using PathParams = std::vector<std::pair<std::string_view, std::string_view>>;

// The name in a segment "{name}"; empty for a literal segment.
std::string_view parameter_name(std::string_view segment);

// The values of the template's parameters in order; none if the path does not match. A parameter
// matches one whole segment that is not empty. Nothing is decoded.
std::optional<PathParams> match_template(std::string_view path_template, std::string_view path);

}  // namespace oriel::http
