#include "http/url.h"

#include "base/text/quote.h"
#include "http/authority.h"

#include <boost/url/parse.hpp>

#include <algorithm>

namespace oriel::http {
namespace {

namespace urls = boost::urls;

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

Error bad_url(std::string_view text, const std::string& problem) {
  return {.kind = ErrorKind::kBadUrl,
          .message = quote(text) + " " + problem,
          .hint = "write http://HOST:PORT or https://HOST"};
}

// IPv6 without brackets.
std::string address_of(const std::string& host) {
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

std::string Url::authority() const {
  const bool is_ipv6 = host.find(':') != host.npos;
  const std::string name = is_ipv6 ? "[" + host + "]" : host;
  return port == (is_tls ? kHttpsPort : kHttpPort) ? name : name + ":" + std::to_string(port);
}

std::string Url::origin() const {
  return (is_tls ? "https://" : "http://") + authority();
}

// Boost.URL 1.81 reads the authority of http://127.0.0.1.example.org as 127.0.0.1, so it gets only
// the path.
Result<Url> parse_url(std::string_view text) {
  const bool is_tls = text.starts_with("https://");
  if (!is_tls && !text.starts_with("http://"))
    return bad_url(text, "does not begin with http:// or https://");
  const std::string_view rest = text.substr(text.find("//") + 2);
  const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view host_and_port = rest.substr(0, end);
  if (host_and_port.find('@') != host_and_port.npos) return bad_url(text, "holds a user name");
  const auto authority = parse_authority(host_and_port);
  if (!authority) return bad_url(text, "names no valid host and port");

  Url url;
  url.is_tls = is_tls;
  url.host = address_of(authority->host);
  url.port = authority->port.value_or(is_tls ? kHttpsPort : kHttpPort);
  const std::string_view path = rest.substr(end);
  if (path.find_first_of("?#") != path.npos) return bad_url(text, "has more than a path");
  if (!path.empty() && !urls::parse_origin_form(path)) return bad_url(text, "has no valid path");
  url.path = path;
  while (url.path.ends_with('/'))
    url.path.pop_back();
  return url;
}

}  // namespace oriel::http
