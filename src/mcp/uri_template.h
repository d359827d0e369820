#pragma once
// URI templates of the plain kind: {name} stands for one path segment.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {

// The parts that stand for the template's {name}s, percent-decoded; none if the URI is not of it.
std::optional<std::vector<std::pair<std::string, std::string>>> match_uri(
    std::string_view uri_template, std::string_view uri);

}  // namespace oriel
