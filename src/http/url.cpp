#include "http/url.h"

#include "base/text/quote.h"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

namespace oriel::http {
namespace {

namespace urls = boost::urls;

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::size_t kMaxHostName = 253;

Error bad_url(std::string_view text, const std::string& problem) {
  return {.kind = ErrorKind::kBadUrl,
          .message = quote(text) + " " + problem,
          .hint = "write http://HOST:PORT or https://HOST"};
}

std::string host_of(const urls::url_view& url) {
  if (url.host_type() == urls::host_type::ipv6) return url.host_address();
  const std::string host = url.host();
  return url.host_type() != urls::host_type::ipvfuture && is_host_name(host) ? host : "";
}

}  // namespace

bool is_host_name(std::string_view host) {
  const auto is_host_char = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !host.empty() && host.size() <= kMaxHostName && host.front() != '.' &&
         host.back() != '.' && host.find("..") == host.npos &&
         std::all_of(host.begin(), host.end(), is_host_char);
}

std::string Url::authority() const {
  const bool is_ipv6 = host.find(':') != host.npos;
  const std::string name = is_ipv6 ? "[" + host + "]" : host;
  return port == (is_tls ? kHttpsPort : kHttpPort) ? name : name + ":" + std::to_string(port);
}

std::string Url::origin() const {
  return (is_tls ? "https://" : "http://") + authority();
}

Result<Url> parse_url(std::string_view text) {
  const auto parsed = urls::parse_uri(text);
  const bool is_http = text.starts_with("http://") || text.starts_with("https://");
  if (!is_http) return bad_url(text, "does not begin with http:// or https://");
  if (!parsed) return bad_url(text, "is not a URL");
  if (parsed->has_userinfo()) return bad_url(text, "holds a user name");
  if (parsed->has_query() || parsed->has_fragment()) return bad_url(text, "has more than a path");

  Url url;
  url.is_tls = parsed->scheme_id() == urls::scheme::https;
  url.host = host_of(*parsed);
  if (url.host.empty()) return bad_url(text, "names no valid host");
  url.port = url.is_tls ? kHttpsPort : kHttpPort;
  if (parsed->has_port()) url.port = parsed->port_number();
  if (url.port == 0) return bad_url(text, "names no valid port");
  url.path = std::string(parsed->encoded_path());
  while (url.path.ends_with('/'))
    url.path.pop_back();
  return url;
}

}  // namespace oriel::http
