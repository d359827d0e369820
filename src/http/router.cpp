#include "http/router.h"

#include "base/id.h"
#include "base/text/quote.h"
#include "http/path_template.h"

#include <compare>
#include <set>
#include <stdexcept>

namespace oriel::http {
namespace {

// The next segment of "/a/b", which must begin with a slash.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

// Equal for patterns that match the same paths; less for the more specific one: a literal segment
// wins over a parameter.
std::weak_ordering compare_patterns(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view left = take_segment(a);
    const std::string_view right = take_segment(b);
    const bool is_left_literal = parameter_name(left).empty();
    const bool is_right_literal = parameter_name(right).empty();
    if (is_left_literal != is_right_literal)
      return is_left_literal ? std::weak_ordering::less : std::weak_ordering::greater;
    if (is_left_literal && left != right) return left <=> right;
  }
  return a.size() <=> b.size();
}

void check_pattern(std::string_view pattern) {
  if (!pattern.starts_with('/')) {
    throw std::logic_error("the route " + quote(pattern) + " must begin with a slash");
  }
  for (std::string_view rest = pattern; !rest.empty();) {
    const std::string_view segment = take_segment(rest);
    const bool has_braces = segment.find_first_of("{}") != std::string_view::npos;
    const std::string_view name = parameter_name(segment);
    if (has_braces && (!is_name(name) || name.find(':') != std::string_view::npos)) {
      throw std::logic_error("the route " + quote(pattern) + " has a malformed segment " +
                             quote(segment) + ": write {name}");
    }
  }
}

Response not_found(std::string_view path) {
  return error_response({.kind = ErrorKind::kNotFound,
                         .message = "no route matches " + quote(path),
                         .hint = "check the path; it is case-sensitive"});
}

Response wrong_method(std::string_view method, std::string_view path,
                      const std::set<std::string_view>& methods) {
  std::string allow;
  for (const std::string_view allowed : methods) {
    if (!allow.empty()) allow += ", ";
    allow += allowed;
  }
  Response response =
      error_response({.kind = ErrorKind::kMethodNotAllowed,
                      .message = quote(path) + " does not take the method " + quote(method),
                      .hint = "it takes " + allow});
  response.headers.emplace_back("Allow", allow);
  return response;
}

// The error when no route serves this method and path.
Response refusal(const std::vector<Route>& routes, std::string_view method, std::string_view path) {
  std::set<std::string_view> methods;
  for (const Route& route : routes) {
    if (!match_template(route.pattern, path)) continue;
    methods.insert(route.method);
    if (route.method == "GET") methods.insert("HEAD");
  }
  return methods.empty() ? not_found(path) : wrong_method(method, path, methods);
}

}  // namespace

void Router::add(Route route) {
  check_pattern(route.pattern);
  if (route.method == "HEAD") throw std::logic_error("HEAD is served by GET's route");
  for (const Route& other : routes_) {
    if (other.method == route.method &&
        std::is_eq(compare_patterns(other.pattern, route.pattern))) {
      throw std::logic_error("the route " + route.method + " " + quote(route.pattern) +
                             " is there already, as " + quote(other.pattern));
    }
  }
  routes_.push_back(std::move(route));
}

FoundRoute Router::find(std::string_view method, std::string_view path) const {
  if (!path.starts_with('/')) return not_found(path);
  const std::string_view served = method == "HEAD" ? "GET" : method;
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (route.method != served || !match_template(route.pattern, path)) continue;
    if (!best || std::is_lt(compare_patterns(route.pattern, best->pattern))) best = &route;
  }
  if (!best) return refusal(routes_, method, path);
  RouteMatch found{.route = best, .path_params = {}};
  const std::optional<PathParams> params = match_template(best->pattern, path);
  for (const auto& [name, value] : *params)
    found.path_params.emplace_back(name, value);
  return found;
}

}  // namespace oriel::http
