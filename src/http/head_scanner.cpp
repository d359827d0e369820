#include "http/head_scanner.h"

#include "base/text/quote.h"

#include <algorithm>

namespace oriel::http {
namespace {

Response too_large(std::size_t max_bytes) {
  return error_response(
      {.kind = ErrorKind::kHeaderTooLarge,
       .message = "the request line and headers exceed " + std::to_string(max_bytes) + " bytes",
       .hint = "send fewer or shorter headers"});
}

// Inside a line there is nothing to check.
bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= ' ';
}

// Position of the first byte in [begin, end) that must be checked; `end`: none.
std::size_t skip_plain(std::string_view bytes, std::size_t begin, std::size_t end) {
  while (begin < end && is_plain(bytes[begin]))
    ++begin;
  return begin;
}

bool is_version(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' &&
         is_digit(text[7]);
}

std::optional<Response> refuse_request_line(std::string_view line) {
  const std::size_t space = line.rfind(' ');
  const std::string_view version = space == std::string_view::npos ? "" : line.substr(space + 1);
  if (!is_version(version)) {
    return bad_request("the request line " + quote(line) + " does not end with an HTTP version",
                       "begin with a line such as GET /health HTTP/1.1");
  }
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return std::nullopt;
  return error_response({.kind = ErrorKind::kUnsupportedVersion,
                         .message = "unsupported HTTP version " + std::string(version),
                         .hint = "use HTTP/1.1"});
}

}  // namespace

std::optional<Response> HeadScanner::refuse_byte(std::string_view bytes) const {
  constexpr char kTlsHandshake = 0x16;
  const char c = bytes[seen_];
  const char before = seen_ == 0 ? ' ' : bytes[seen_ - 1];
  if (seen_ == 0 && c == kTlsHandshake) {
    return bad_request("received a TLS handshake on a plain HTTP port",
                       "use http://, or start the server with --tls-cert and --tls-key");
  }
  if (c == '\0') return bad_request("a NUL byte in the request's head", "send HTTP/1.1 text");
  if (before == '\r' && c != '\n') {
    return bad_request("a carriage return without a line feed in the request's head",
                       "end lines with CR LF");
  }
  if (before != '\r' && c == '\n') {
    return bad_request("a line feed without a carriage return in the request's head",
                       "end lines with CR LF");
  }
  const bool begins_header = seen_ == line_ && line_ != begin_;
  if (begins_header && (c == ' ' || c == '\t')) {
    return bad_request("a header continues on the next line", "send each header on one line");
  }
  return std::nullopt;
}

boost::system::result<std::optional<HeadSpan>, Response> HeadScanner::scan(std::string_view bytes) {
  const std::size_t end = std::min(bytes.size(), max_bytes_);
  for (; seen_ < end; ++seen_) {
    if (seen_ > line_ && is_plain(bytes[seen_ - 1])) {
      seen_ = skip_plain(bytes, seen_, end);
      if (seen_ == end) break;
    }
    if (auto refusal = refuse_byte(bytes)) return *refusal;
    if (bytes[seen_] != '\n') continue;

    const std::string_view line = bytes.substr(line_, seen_ - 1 - line_);
    const bool is_request_line = line_ == begin_;
    line_ = seen_ + 1;
    if (line.empty() && !is_request_line) {
      return std::optional(HeadSpan{.begin = begin_, .end = line_});
    }
    if (line.empty() && begin_ == 0) {
      begin_ = line_;
      continue;
    }
    if (!is_request_line) continue;
    if (auto refusal = refuse_request_line(line)) return *refusal;
  }
  if (seen_ == max_bytes_) return too_large(max_bytes_);
  return std::optional<HeadSpan>();
}

}  // namespace oriel::http
