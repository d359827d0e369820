#pragma once
// URI templates of the plain kind: {name} stands for one whole path segment. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::mcp {

// The parts that stand for the template's {name}s, each not empty and percent-decoded to UTF-8;
// none if the URI is not of it. A part may hold any character once decoded, also a slash.
std::optional<std::vector<std::pair<std::string, std::string>>> match_uri(
    std::string_view uri_template, std::string_view uri);

}  // namespace oriel::mcp
