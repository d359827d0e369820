#include "http/query.h"

#include "base/text/quote.h"

#include <boost/url/encoding_opts.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

namespace oriel::http {
namespace {

namespace urls = boost::urls;

Error bad_target(std::string_view target, const std::string& problem) {
  return {
      .kind = ErrorKind::kBadTarget,
      .message = "the request target " + quote(target) + " " + problem,
      .hint =
          "send a path such as /api/events?types=message, with special characters percent-encoded"};
}

std::string decode_segment(std::string_view encoded) {
  return urls::pct_string_view(encoded).decode();
}

std::string decode_form(urls::pct_string_view encoded) {
  return encoded.decode(urls::encoding_opts(/*space_as_plus=*/true));
}

// A target with its path.
Result<Target> decode_path(std::string_view target, std::string_view encoded) {
  Target result;
  if (encoded.empty()) result.path = "/";
  while (!encoded.empty()) {
    encoded.remove_prefix(1);  // the slash that begins each segment
    const std::size_t length = std::min(encoded.find('/'), encoded.size());
    const std::string segment = decode_segment(encoded.substr(0, length));
    if (segment == "." || segment == "..") return bad_target(target, "has a dot segment");
    if (segment.find('/') != std::string::npos) return bad_target(target, "has an encoded slash");
    result.path += '/';
    result.path += segment;
    encoded.remove_prefix(length);
  }
  return result;
}

bool is_http(const urls::url_view& url) {
  return url.scheme_id() == urls::scheme::http || url.scheme_id() == urls::scheme::https;
}

// Needs no decoding: no escape, no dot segment, no query.
bool is_plain_path(std::string_view target) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-';
  };
  return target.starts_with('/') && std::all_of(target.begin(), target.end(), is_plain);
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
  if (is_plain_path(target))
    return Target{.path = std::string(target), .authority = {}, .query = {}};
  const bool is_origin_form = target.starts_with('/');
  const auto url =
      is_origin_form ? urls::parse_origin_form(target) : urls::parse_absolute_uri(target);
  if (!url) return bad_target(target, "is malformed");
  if (!is_origin_form && (!is_http(*url) || url->has_userinfo() || url->encoded_host().empty())) {
    return bad_target(target, "is neither a path nor an http URL");
  }
  if (target.find("%00") != std::string_view::npos) return bad_target(target, "has a NUL byte");

  auto result = decode_path(target, url->encoded_path());
  if (!result) return result;
  result->authority = url->encoded_host_and_port();
  for (const auto& param : url->encoded_params()) {
    if (param.key.empty() && !param.has_value) continue;  // "?", or "&&"
    result->query.emplace_back(decode_form(param.key), decode_form(param.value));
  }
  return result;
}

std::vector<std::string_view> query_values(const Request& request, std::string_view name) {
  std::vector<std::string_view> values;
  for (const auto& [key, value] : request.query) {
    if (key == name) values.emplace_back(value);
  }
  return values;
}

std::optional<std::string_view> query_value(const Request& request, std::string_view name) {
  const auto found = std::find_if(request.query.rbegin(), request.query.rend(),
                                  [name](const auto& pair) { return pair.first == name; });
  if (found == request.query.rend()) return std::nullopt;
  return found->second;
}

Result<void> check_query(const Request& request, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : request.query) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string names;
    for (const std::string_view name : known) {
      if (!names.empty()) names += ", ";
      names += name;
    }
    return Error{.kind = ErrorKind::kUnknownParameter,
                 .message = request.path + " has no parameter " + quote(key),
                 .hint = names.empty() ? "it takes no parameters" : "it takes " + names};
  }
  return {};
}

}  // namespace oriel::http
