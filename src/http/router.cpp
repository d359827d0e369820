#include "http/router.h"

#include "base/id.h"
#include "base/quote.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <set>
#include <stdexcept>

namespace oriel::http {
namespace {

// Ordered by specificity: a literal segment wins over a typed parameter, that over any text.
enum class Kind { kLiteral, kUint, kAny };

struct Segment {
  Kind kind = Kind::kLiteral;
  std::string_view text;  // the literal, or the parameter's name
};

// The next segment of "/a/b", which must begin with a slash.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

Segment take_pattern_segment(std::string_view& pattern) {
  std::string_view text = take_segment(pattern);
  if (!text.starts_with('{')) return {.kind = Kind::kLiteral, .text = text};
  text = text.substr(1, text.size() - 2);
  constexpr std::string_view kUintSuffix = ":uint";
  if (!text.ends_with(kUintSuffix)) return {.kind = Kind::kAny, .text = text};
  return {.kind = Kind::kUint, .text = text.substr(0, text.size() - kUintSuffix.size())};
}

bool is_uint(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

enum class Fit { kNone, kWrongType, kWhole };

struct Match {
  Fit fit = Fit::kNone;
  std::string_view wrong_name;   // parameter that failed to parse
  std::string_view wrong_value;  // its text
};

Match match(std::string_view pattern, std::string_view path) {
  Match result{.fit = Fit::kWhole, .wrong_name = {}, .wrong_value = {}};
  while (!pattern.empty() && !path.empty()) {
    const Segment expected = take_pattern_segment(pattern);
    const std::string_view given = take_segment(path);
    if (expected.kind == Kind::kLiteral ? given != expected.text : given.empty()) return {};
    if (expected.kind == Kind::kUint && !is_uint(given) && result.fit == Fit::kWhole) {
      result = {.fit = Fit::kWrongType, .wrong_name = expected.text, .wrong_value = given};
    }
  }
  return pattern.empty() && path.empty() ? result : Match{};
}

// Equal for patterns that match the same paths; less for the more specific one.
std::weak_ordering compare_patterns(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const Segment left = take_pattern_segment(a);
    const Segment right = take_pattern_segment(b);
    if (left.kind != right.kind) return left.kind <=> right.kind;
    if (left.kind == Kind::kLiteral && left.text != right.text) return left.text <=> right.text;
  }
  return a.size() <=> b.size();
}

void check_segment(std::string_view pattern, std::string_view segment) {
  const bool has_braces = segment.find_first_of("{}") != std::string_view::npos;
  if (!has_braces) return;
  const bool is_wrapped = segment.starts_with('{') && segment.find('}') == segment.size() - 1;
  const std::string_view inner = is_wrapped ? segment.substr(1, segment.size() - 2) : "";
  const std::string_view name = inner.substr(0, inner.find(':'));
  const std::string_view type = inner.substr(name.size());
  if (!is_name(name) || (!type.empty() && type != ":uint")) {
    throw std::logic_error("the route " + quote(pattern) + " has a malformed segment " +
                           quote(segment) + ": write {name} or {name:uint}");
  }
}

void check_pattern(std::string_view pattern) {
  if (!pattern.starts_with('/')) {
    throw std::logic_error("the route " + quote(pattern) + " must begin with a slash");
  }
  for (std::string_view rest = pattern; !rest.empty();)
    check_segment(pattern, take_segment(rest));
}

std::vector<std::pair<std::string, std::string>> path_params(std::string_view pattern,
                                                             std::string_view path) {
  std::vector<std::pair<std::string, std::string>> params;
  while (!pattern.empty()) {
    const Segment expected = take_pattern_segment(pattern);
    const std::string_view given = take_segment(path);
    if (expected.kind != Kind::kLiteral) params.emplace_back(expected.text, given);
  }
  return params;
}

Response not_found(std::string_view path) {
  return error_response(404, {.kind = ErrorKind::kNotFound,
                              .message = "no route matches " + quote(path),
                              .hint = "check the path; it is case-sensitive"});
}

Response wrong_type(const Match& match) {
  return error_response(400, {.kind = ErrorKind::kInvalidParameter,
                              .message = std::string(match.wrong_name) + ": " +
                                         quote(match.wrong_value) + " is not a whole number",
                              .hint = "give a number from 0 to 18446744073709551615"});
}

Response wrong_method(std::string_view method, std::string_view path,
                      const std::set<std::string_view>& methods) {
  std::string allow;
  for (const std::string_view allowed : methods) {
    if (!allow.empty()) allow += ", ";
    allow += allowed;
  }
  Response response =
      error_response(405, {.kind = ErrorKind::kMethodNotAllowed,
                           .message = quote(path) + " does not take the method " + quote(method),
                           .hint = "it takes " + allow});
  response.headers.emplace_back("Allow", allow);
  return response;
}

std::string plain_key(std::string_view method, std::string_view path) {
  std::string key;
  key.reserve(method.size() + 1 + path.size());
  return key.append(method).append(" ").append(path);
}

// The error when no route serves this method and path.
Response refusal(const std::vector<Route>& routes, std::string_view method, std::string_view path) {
  std::set<std::string_view> methods;
  Match mismatch;
  for (const Route& route : routes) {
    const Match found = match(route.pattern, path);
    if (found.fit == Fit::kWrongType) mismatch = found;
    if (found.fit != Fit::kWhole) continue;
    methods.insert(route.method);
    if (route.method == "GET") methods.insert("HEAD");
  }
  if (!methods.empty()) return wrong_method(method, path, methods);
  return mismatch.fit == Fit::kWrongType ? wrong_type(mismatch) : not_found(path);
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
  if (route.pattern.find('{') == std::string::npos)
    plain_.emplace(plain_key(route.method, route.pattern), routes_.size());
  routes_.push_back(std::move(route));
}

FoundRoute Router::find(std::string_view method, std::string_view path) const {
  if (!path.starts_with('/')) return not_found(path);
  const std::string_view served = method == "HEAD" ? "GET" : method;
  // A route without parameters is always the most specific.
  if (const auto plain = plain_.find(plain_key(served, path)); plain != plain_.end())
    return RouteMatch{.route = &routes_[plain->second], .path_params = {}};
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (route.method != served || match(route.pattern, path).fit != Fit::kWhole) continue;
    if (!best || std::is_lt(compare_patterns(route.pattern, best->pattern))) best = &route;
  }
  if (!best) return refusal(routes_, method, path);
  return RouteMatch{.route = best, .path_params = path_params(best->pattern, path)};
}

}  // namespace oriel::http
