#include "auth/origin_guard.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "http/authority.h"
#include "http/client_network.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace oriel {
namespace {

// "host", or "host:port" where the port is not the scheme's own.
std::string without_default_port(const http::Authority& authority, std::string_view scheme) {
  const std::uint16_t default_port = scheme == "https" ? 443 : 80;
  if (!authority.port || *authority.port == default_port) return authority.host;
  return authority.host + ":" + std::to_string(*authority.port);
}

struct WebOrigin {
  std::string scheme;
  std::string host;  // without the scheme's default port

  std::string text() const { return scheme + "://" + host; }
};

// "http://host:port", as browsers send it.
std::optional<WebOrigin> parse_origin(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string scheme = lower_case(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const auto authority = http::parse_authority(text.substr(colon + 3));
  if (!authority) return std::nullopt;
  return WebOrigin{.scheme = scheme, .host = without_default_port(*authority, scheme)};
}

WebOrigin parse_url(const std::string& what, const std::string& url) {
  std::string_view text = url;
  if (text.ends_with('/')) text.remove_suffix(1);
  auto origin = parse_origin(text);
  if (!origin) {
    throw std::invalid_argument(
        what + " " + quote(url) +
        " is not one: write http://HOST or https://HOST, with :PORT if need be and no path");
  }
  return *std::move(origin);
}

constexpr const char* kHint =
    "use a loopback name such as localhost, or start the server with --public-url set to the URL "
    "that people open";

Error bad_host(const std::string& message) {
  return {.kind = ErrorKind::kBadHost,
          .message = message,
          .hint = "send one Host header: a name or address, with its port"};
}

// A person who follows a link to the page, or types its address.
bool is_navigation(const http::Request& request) {
  return request.method == "GET" && request.header("sec-fetch-mode") == "navigate" &&
         request.header("sec-fetch-dest") == "document";
}

Error foreign_origin(const std::string& who) {
  return {.kind = ErrorKind::kForeignOrigin,
          .message = who + " may not use this server",
          .hint = "open the server's own page, or start the server with --allow-origin"};
}

}  // namespace

OriginGuard::OriginGuard(const OriginOptions& options)
    : own_scheme_(options.is_tls ? "https" : "http") {
  if (!options.public_url.empty()) {
    const WebOrigin origin = parse_url("the public URL", options.public_url);
    public_host_ = origin.host;
    public_origin_ = origin.text();
  }
  for (const std::string& allowed : options.allowed_origins)
    allowed_origins_.push_back(parse_url("the allowed origin", allowed).text());
}

Result<RequestOrigin> OriginGuard::check(const http::Request& request, bool is_page) const {
  const auto host = request.header("host");
  if (!host) return bad_host("the request has no Host header");
  const auto authority = http::parse_authority(*host);
  if (!authority) return bad_host("the Host " + quote(*host) + " is malformed");

  const std::string_view public_scheme =
      std::string_view(public_origin_).substr(0, public_origin_.find(':'));
  const bool is_public =
      !public_host_.empty() && without_default_port(*authority, public_scheme) == public_host_;
  if (!is_public && !http::is_loopback_host(authority->host)) {
    return Error{.kind = ErrorKind::kForeignHost,
                 .message = "the Host " + quote(*host) + " is not a name of this server",
                 .hint = kHint};
  }
  RequestOrigin result{.is_foreign_page = false, .is_public_host = is_public};

  if (const auto header = request.header("origin")) {
    const auto origin = parse_origin(*header);
    const std::string own =
        is_public ? public_origin_
                  : own_scheme_ + "://" + without_default_port(*authority, own_scheme_);
    if (origin && origin->text() == own) return result;
    result.is_foreign_page = origin && std::find(allowed_origins_.begin(), allowed_origins_.end(),
                                                 origin->text()) != allowed_origins_.end();
    if (result.is_foreign_page) return result;
    return foreign_origin("a page from " + quote(*header));
  }
  const auto site = request.header("sec-fetch-site");
  const bool is_own = !site || *site == "same-origin" || *site == "none";
  if (is_own || (is_page && is_navigation(request))) return result;
  return foreign_origin("a page of another site");
}

}  // namespace oriel
