#pragma once
// Simple URI templates: {name} matches one whole path segment. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::mcp {

// The values of the template's {name}s, non-empty and percent-decoded to UTF-8; none if the URI
// does not match. A decoded value may contain any character, including a slash.
std::optional<std::vector<std::pair<std::string, std::string>>> match_uri(
    std::string_view uri_template, std::string_view uri);

}  // namespace oriel::mcp
