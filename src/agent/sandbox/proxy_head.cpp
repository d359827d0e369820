#include "agent/sandbox/proxy_head.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::uint16_t kHttpPort = 80;

// Of the connection to the proxy, not of the request.
constexpr std::array<std::string_view, 4> kHopHeaders = {"connection", "proxy-connection",
                                                         "proxy-authorization", "keep-alive"};

Error bad_request(const std::string& problem) {
  return {.kind = ErrorKind::kBadRequest, .message = problem, .hint = {}};
}

bool is_hop_header(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  return std::any_of(kHopHeaders.begin(), kHopHeaders.end(),
                     [&](std::string_view hop) { return equal_ignoring_case(name, hop); });
}

struct RequestLine {
  std::string_view method;
  std::string_view target;
};

Result<RequestLine> parse_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == line.npos || first == 0 || last <= first + 1)
    return bad_request(quote(line) + " is not a request");
  const std::string_view version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const bool has_space = target.find_first_of(" \t\r\n") != target.npos;
  if ((version != "HTTP/1.1" && version != "HTTP/1.0") || has_space)
    return bad_request(quote(line) + " is not a request of HTTP/1.1");
  return RequestLine{.method = line.substr(0, first), .target = target};
}

// The header lines that the server gets, each with its line end.
std::string end_to_end_headers(std::string_view headers) {
  std::string kept;
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find("\r\n"), headers.size());
    const std::string_view line = headers.substr(0, end);
    if (!line.empty() && !is_hop_header(line)) kept.append(line).append("\r\n");
    headers.remove_prefix(std::min(end + 2, headers.size()));
  }
  return kept;
}

}  // namespace

Result<ProxyRequest> parse_proxy_head(std::string_view head) {
  const std::size_t line_end = std::min(head.find("\r\n"), head.size());
  const auto line = parse_request_line(head.substr(0, line_end));
  if (!line) return line.error();
  if (line->method == "CONNECT") {
    auto destination = parse_host_port(line->target);
    if (!destination) return bad_request(destination.error().message);
    return ProxyRequest{.destination = *std::move(destination), .forwarded = {}};
  }
  if (!line->target.starts_with(kScheme))
    return bad_request(quote(line->target) + " is not an http:// URL; this is a proxy");
  const std::string_view rest = line->target.substr(kScheme.size());
  const std::size_t authority_end = std::min(rest.find_first_of("/?#"), rest.size());
  auto destination = parse_host_port(rest.substr(0, authority_end), kHttpPort);
  if (!destination) return bad_request(destination.error().message);
  const std::string_view path = rest.substr(authority_end);
  const std::string headers = end_to_end_headers(head.substr(std::min(line_end + 2, head.size())));
  return ProxyRequest{
      .destination = *std::move(destination),
      .forwarded = fmt::format("{} {}{} HTTP/1.1\r\n{}Connection: close\r\n\r\n", line->method,
                               path.starts_with('/') ? "" : "/", path, headers)};
}

}  // namespace oriel
