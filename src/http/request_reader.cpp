#include "http/request_reader.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "http/query.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/optional/optional.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace oriel::http {
namespace {

namespace beast_http = boost::beast::http;
using boost::system::error_code;

Response body_too_large(std::uint64_t max_bytes) {
  return error_response({.kind = ErrorKind::kBodyTooLarge,
                         .message = "the body exceeds " + std::to_string(max_bytes) + " bytes",
                         .hint = "send a smaller body"});
}

Response fields_too_large(const std::string& what) {
  return error_response({.kind = ErrorKind::kHeaderTooLarge,
                         .message = what + " is too large",
                         .hint = "send fewer or shorter headers"});
}

// `line` is where the parser stopped. Only the header name is reported: a value may be a secret.
Response head_refusal(error_code ec, std::string_view line) {
  const std::string name = quote(line.substr(0, line.find(':')));
  if (ec == beast_http::error::bad_method || ec == beast_http::error::bad_target ||
      ec == beast_http::error::bad_version) {
    return bad_request("the request line " + quote(line) + " is malformed",
                       "begin with a line such as GET /health HTTP/1.1");
  }
  if (ec == beast_http::error::bad_content_length ||
      ec == beast_http::error::multiple_content_length ||
      ec == beast_http::error::bad_transfer_encoding) {
    return bad_request("the header " + quote(line) + " is malformed or contradicts another one",
                       "send one Content-Length, or Transfer-Encoding: chunked, never both");
  }
  return bad_request("the header " + name + " is malformed: " + ec.message(),
                     "send headers as Name: value, each on a line of its own");
}

Response body_refusal(error_code ec, std::uint64_t max_body_bytes) {
  if (ec == beast_http::error::body_limit) return body_too_large(max_body_bytes);
  if (ec == beast_http::error::need_more || ec == beast_http::error::header_limit) {
    return fields_too_large("a chunk's head or trailer");
  }
  return bad_request("the chunked body is malformed: " + ec.message(),
                     "send each chunk as its size in hex, CR LF, its bytes, CR LF");
}

// Headers that must not repeat: recipients disagree about which one counts.
constexpr std::array<std::string_view, 5> kSingle = {"host", "origin", "authorization",
                                                     "content-type", "content-length"};

std::optional<Response> refuse_repeats(const Request& request) {
  for (const std::string_view name : kSingle) {
    const auto count = std::count_if(request.headers.begin(), request.headers.end(),
                                     [name](const auto& header) { return header.first == name; });
    if (count > 1) {
      return bad_request("the header " + std::string(name) + " appears more than once",
                         "send it once");
    }
  }
  return std::nullopt;
}

// Beast accepts a list of equal lengths, which other recipients read differently. It treats an
// unknown transfer coding as "no body" and would parse the body as a request.
std::optional<Response> refuse_framing(const Request& request, int version) {
  const auto length = request.header("content-length");
  if (length && length->find(',') != std::string_view::npos) {
    return bad_request("Content-Length " + quote(*length) + " is a list", "send one number");
  }
  const auto coding = request.header("transfer-encoding");
  if (!coding) return std::nullopt;
  if (request.header("content-length")) {
    return bad_request("both Content-Length and Transfer-Encoding", "send one of them");
  }
  if (version < 11) return bad_request("Transfer-Encoding in an HTTP/1.0 request", "use HTTP/1.1");
  for (const auto& [name, value] : request.headers) {
    if (name == "transfer-encoding" && !equal_ignoring_case(value, "chunked")) {
      return error_response({.kind = ErrorKind::kUnsupportedTransferCoding,
                             .message = "the transfer coding " + quote(value) + " is unknown",
                             .hint = "send the body unencoded or chunked"});
    }
  }
  return std::nullopt;
}

// Rejects what Beast accepts, and parses the target.
std::optional<Response> complete_head(Request& request, int version) {
  if (auto refusal = refuse_repeats(request)) return refusal;
  if (auto refusal = refuse_framing(request, version)) return refusal;

  auto target = parse_target(request.target);
  if (!target) return error_response(target.error());
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  for (auto& [name, value] : request.headers) {
    if (name == "host" && !target->authority.empty()) value = target->authority;
  }
  return std::nullopt;
}

}  // namespace

// Beast's parser for one request; writes straight into the Request. Not eager: it stops after the
// head and after each chunk head.
class RequestReader::Parser final : public beast_http::basic_parser<true> {
 public:
  Parser() {
    header_limit(std::numeric_limits<std::uint32_t>::max());  // HeadScanner enforces the limit
    body_limit(boost::none);                                  // max_body_bytes is
  }

  std::size_t put(std::string_view bytes, error_code& ec) {
    const bool is_in_chunk = chunk_left_ > 0;
    const std::size_t parsed = basic_parser::put(boost::asio::buffer(bytes), ec);
    if (is_in_chunk) chunk_left_ -= parsed;
    return parsed;
  }

  // The body bytes to parse next; empty while there are too few. Limits chunk heads and trailers,
  // which Beast does not.
  std::string_view next_part(std::string_view rest, std::size_t max_header_bytes) const {
    constexpr std::size_t kShortestEnd = 5;  // "0\r\n\r\n": Beast asserts as much after the 0
    if (!chunked() || chunk_left_ > 0) return rest;
    return rest.size() < kShortestEnd ? "" : rest.substr(0, max_header_bytes);
  }

  int version() const { return version_; }

  std::uint64_t max_body_bytes = 0;  // set once the head is parsed
  Request request;                   // all but the body
  std::string body;                  // not taken yet

 private:
  using StringView = boost::beast::string_view;

  void on_request_impl(beast_http::verb, StringView method, StringView target, int version,
                       error_code&) override {
    request.method = method;
    request.target = target;
    version_ = version;
  }

  void on_response_impl(int, StringView, int, error_code&) override {}

  void on_field_impl(beast_http::field, StringView name, StringView value, error_code&) override {
    const bool is_trailer = is_header_done();  // must not be treated as a header
    if (!is_trailer) request.headers.emplace_back(lower_case(name), value);
  }

  void on_header_impl(error_code&) override {}

  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

  std::size_t on_body_impl(StringView piece, error_code&) override {
    body.append(piece.data(), piece.size());
    return piece.size();
  }

  void on_chunk_header_impl(std::uint64_t size, StringView, error_code& ec) override {
    if (size > max_body_bytes - chunk_bytes_) {
      ec = beast_http::error::body_limit;
      return;
    }
    chunk_bytes_ += size;
    chunk_left_ = size;
  }

  std::size_t on_chunk_body_impl(std::uint64_t, StringView piece, error_code& ec) override {
    return on_body_impl(piece, ec);
  }

  void on_finish_impl(error_code&) override {}

  int version_ = 0;                // 10 or 11
  std::uint64_t chunk_bytes_ = 0;  // of all chunks so far
  std::uint64_t chunk_left_ = 0;
};

RequestReader::RequestReader(RequestLimits limits, BodyLimit body_limit)
    : limits_(limits), body_limit_(std::move(body_limit)), scanner_(limits.max_header_bytes) {}

RequestReader::~RequestReader() = default;

ReadState RequestReader::state() const {
  return state_;
}

ReadState RequestReader::feed(std::string_view bytes) {
  if (state_ == ReadState::kFailed) return state_;
  pending_ += bytes;
  return advance();
}

ReadState RequestReader::advance() {
  if (state_ == ReadState::kIdle || state_ == ReadState::kHead) read_head();
  if (state_ == ReadState::kBody) read_body();
  return state_;
}

void RequestReader::read_head() {
  auto scanned = scanner_.scan(pending_);
  if (!scanned) return refuse(scanned.error());
  if (!*scanned) {
    const bool is_empty_line = std::string_view("\r\n").starts_with(pending_);
    state_ = is_empty_line ? ReadState::kIdle : ReadState::kHead;
    return;
  }
  const auto [begin, end] = **scanned;
  const std::string_view head = std::string_view(pending_).substr(begin, end - begin);
  parser_ = std::make_unique<Parser>();
  error_code ec;
  const std::size_t parsed = parser_->put(head, ec);
  if (ec) {
    const std::string_view rest = head.substr(parsed);
    return refuse(head_refusal(ec, rest.substr(0, rest.find("\r\n"))));
  }
  assert(parsed == head.size());
  parser_->request.keep_alive = parser_->keep_alive();
  if (auto refusal = complete_head(parser_->request, parser_->version())) {
    return refuse(std::move(*refusal));
  }
  if (parser_->is_done()) {
    state_ = ReadState::kDone;
  } else {
    const std::uint64_t limit =
        body_limit_ ? body_limit_(parser_->request) : limits_.max_body_bytes;
    if (parser_->content_length().value_or(0) > limit) return refuse(body_too_large(limit));
    parser_->max_body_bytes = limit;
    state_ = ReadState::kBody;
  }
  pending_.erase(0, end);
  const auto expected = parser_->request.header("expect");
  continue_asked_ = expected && equal_ignoring_case(*expected, "100-continue");
}

void RequestReader::read_body() {
  std::string_view rest = pending_;
  while (!parser_->is_done()) {
    const std::string_view next = parser_->next_part(rest, limits_.max_header_bytes);
    if (next.empty()) break;
    error_code ec;
    const std::size_t parsed = parser_->put(next, ec);
    if (ec == beast_http::error::need_more && next.size() < limits_.max_header_bytes) break;
    if (ec) return refuse(body_refusal(ec, parser_->max_body_bytes));
    rest.remove_prefix(parsed);
  }
  if (rest.size() < pending_.size()) continue_asked_ = false;
  pending_.erase(0, pending_.size() - rest.size());
  if (parser_->is_done()) state_ = ReadState::kDone;
}

void RequestReader::refuse(Response refusal) {
  state_ = ReadState::kFailed;
  refusal_ = std::move(refusal);
  continue_asked_ = false;
  parser_.reset();
  pending_ = std::string();
}

bool RequestReader::wants_continue() {
  return std::exchange(continue_asked_, false) && state_ == ReadState::kBody && pending_.empty();
}

Request& RequestReader::head() {
  assert(parser_ && (state_ == ReadState::kBody || state_ == ReadState::kDone));
  return parser_->request;
}

std::string RequestReader::take_body() {
  assert(parser_ && (state_ == ReadState::kBody || state_ == ReadState::kDone));
  return std::exchange(parser_->body, {});
}

Request RequestReader::take_request() {
  assert(state_ == ReadState::kDone);
  Request request = std::move(parser_->request);
  request.body = std::move(parser_->body);
  parser_.reset();
  scanner_ = HeadScanner(limits_.max_header_bytes);
  continue_asked_ = false;
  state_ = ReadState::kIdle;
  if (pending_.empty()) pending_ = std::string();  // an idle connection holds no memory
  advance();
  return request;
}

Response RequestReader::take_refusal() {
  assert(state_ == ReadState::kFailed);
  return std::move(refusal_);
}

}  // namespace oriel::http
