#pragma once
// Parses request targets into a decoded path and query, and reads query parameters.

#include "http/request.h"

namespace oriel::http {

struct Target {
  std::string path;       // decoded; begins with '/', has no "." or ".." segment and no NUL
  std::string authority;  // of an absolute-form target, where it overrides Host; else empty
  std::vector<std::pair<std::string, std::string>> query;
};

// Origin form ("/a?b=c") or absolute form. '+' in the query is a space.
Result<Target> parse_target(std::string_view target);

// Every value of a repeated parameter, in order.
std::vector<std::string_view> query_values(const Request& request, std::string_view name);

// The last value of a parameter, or none.
std::optional<std::string_view> query_value(const Request& request, std::string_view name);

// Fails with the name of the first unknown parameter: a misspelled filter must not match
// everything.
Result<void> check_query(const Request& request, std::initializer_list<std::string_view> known);

}  // namespace oriel::http
