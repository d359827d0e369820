#include "http/connection.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "base/text/ascii.h"
#include "base/text/quote.h"

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace oriel::http {
namespace {

constexpr std::chrono::milliseconds kLingerTimeout{1000};
constexpr const char* kHsts = "max-age=31536000";  // a year
constexpr std::size_t kReadBytes = 8192;
constexpr std::size_t kPieceBytes = 256 << 10;     // of a streamed body
constexpr std::uint64_t kOpenBodyBytes = 4 << 10;  // on routes that need no credential

Error timeout_error(std::string_view part, std::chrono::milliseconds limit) {
  return {.kind = ErrorKind::kRequestTimeout,
          .message = "the request's " + std::string(part) + " was not complete after " +
                     std::to_string(limit.count()) + " ms",
          .hint = "send the whole request at once"};
}

Response broken_off() {
  return error_response({.kind = ErrorKind::kBrokenOff,
                         .message = "the connection closed before the end of the body",
                         .hint = "retry the request"});
}

std::uint64_t body_bytes(const Response& response) {
  if (response.source.next) return response.source.size;
  return response.body ? response.body->size() : 0;
}

void append(Headers& headers, const Headers& more) {
  headers.insert(headers.end(), more.begin(), more.end());
}

// Browsers apply HSTS to all ports of a name, so that one for localhost would break the other
// servers of a developer's machine. They ignore it for addresses.
bool is_localhost(std::string_view host) {
  const std::string name = lower_case(host.substr(0, host.rfind(':')));
  return name == "localhost" || name.ends_with(".localhost");
}

bool takes_pieces(const FoundRoute& found) {
  return found && found->route->body_handler;
}

// An unknown route has the usual limit: it is refused without reading the body.
std::uint64_t max_body_bytes(const FoundRoute& found, std::uint64_t usual) {
  if (!found) return usual;
  const Route& route = *found->route;
  if (route.body_handler) return route.max_body_bytes;
  if (route.method == "GET") return 0;
  return route.scope ? usual : std::min(usual, kOpenBodyBytes);
}

}  // namespace

class Connection::Body : public RequestBody {
 public:
  explicit Body(Connection& connection) : connection_(connection) {}

  asio::awaitable<BodyPart> next() override { return connection_.read_piece(); }

 private:
  Connection& connection_;
};

Connection::Connection(Shard& shard, ConnectionContext& context, IdleConnections& idle,
                       std::unique_ptr<Transport> transport, Peer peer)
    : shard_(shard),
      context_(context),
      transport_(std::move(transport)),
      idle_(idle),
      reader_(context.limits.request, body_limit()),
      peer_(transport_->peer()),
      peer_user_(peer.user),
      network_(std::move(peer.network)),
      timer_(shard.executor()) {}

Connection::~Connection() {
  leave_idle();
}

asio::awaitable<void> Connection::run() {
  try {
    co_await serve();
  } catch (const boost::system::system_error& ended) {
    log()->debug("connection {}: {}", peer_, ended.what());
  }
  timer_.cancel();
}

void Connection::stop(Clock::time_point idle_since) {
  const bool is_idle = idle_place_ && idle_state_ == ReadState::kIdle;
  if (is_idle && idle_since_ <= idle_since) transport_->close();
}

void Connection::evict() {
  leave_idle();
  transport_->close();
  transport_->keep({});
}

// A head that trickles in keeps its place, so that it is evicted before others.
void Connection::enter_idle(ReadState state) {
  if (idle_place_ && idle_state_ == state) return;
  leave_idle();
  idle_place_ = idle_.insert(idle_.end(), this);
  idle_state_ = state;
  idle_since_ = Clock::now();
}

void Connection::leave_idle() {
  if (idle_place_) idle_.erase(*idle_place_);
  idle_place_.reset();
}

BodyLimit Connection::body_limit() const {
  return [&context = context_](const Request& head) -> std::uint64_t {
    const FoundRoute found = context.router.find(head.method, head.path);
    return max_body_bytes(found, context.limits.request.max_body_bytes);
  };
}

asio::awaitable<void> Connection::serve() {
  set_deadline(context_.limits.header_timeout);
  enter_idle(ReadState::kHead);
  co_await transport_->handshake();
  leave_idle();
  while (co_await read_until(ReadState::kBody)) {
    const bool stays_open = co_await serve_request();
    if (!stays_open) co_return;
  }
}

// Route and access are checked on the head alone: the server takes no body from a client without
// access.
asio::awaitable<bool> Connection::serve_request() {
  FoundRoute found = context_.router.find(reader_.head().method, reader_.head().path);
  const bool is_in_pieces = takes_pieces(found);
  std::optional<Response> refused = check_access(found);
  if (!refused && !found) refused = found.error();
  const Headers extra_headers = common_headers(reader_.head());
  if (refused && reader_.state() != ReadState::kDone) {
    append(refused->headers, extra_headers);
    co_await refuse(*std::move(refused));
    co_return false;
  }
  if (!is_in_pieces && reader_.state() != ReadState::kDone) {
    const bool is_whole = co_await read_until(ReadState::kDone);
    if (!is_whole) co_return false;
  }
  Request request = is_in_pieces ? reader_.head() : reader_.take_request();
  const bool is_head = request.method == "HEAD";
  const bool wants_more = request.keep_alive;
  context_.requests.fetch_add(1, std::memory_order_relaxed);

  clear_deadline();
  Response response;
  if (refused)
    response = *std::move(refused);
  else
    response = co_await answer(request, *found);
  append(response.headers, extra_headers);
  if (response.take_over) {
    response.take_over(std::move(transport_), serialize_head(response, std::nullopt, false));
    co_return false;
  }
  if (is_broken_) co_return false;
  if (is_in_pieces && reader_.state() != ReadState::kDone) {
    co_await refuse(std::move(response));
    co_return false;
  }
  if (is_in_pieces) reader_.take_request();
  const bool keep_alive = wants_more && context_.phase == ConnectionPhase::kServing;
  std::string head = serialize_head(response, body_bytes(response), keep_alive);
  if (is_head) {
    response.body = nullptr;
    response.source = {};
  }
  co_await write(response, std::move(head));
  co_return keep_alive;
}

// Returns false when the connection must close: the peer closed it, or its request was rejected.
asio::awaitable<bool> Connection::read_until(ReadState goal) {
  ReadState state = reader_.state();
  set_deadline(limit_in(state));
  while (state < goal) {
    if (state == ReadState::kIdle && context_.phase == ConnectionPhase::kStopping) co_return false;
    if (state <= ReadState::kHead) enter_idle(state);
    co_await read_more();
    if (reader_.state() > ReadState::kHead || timed_out_) leave_idle();
    if (timed_out_) break;
    const ReadState before = std::exchange(state, reader_.state());
    if (state != before && state < goal) set_deadline(limit_in(state));
  }
  if (state >= goal && state != ReadState::kFailed) co_return true;
  if (timed_out_ && state == ReadState::kIdle) co_return false;

  auto refusal = refusal_at(state);
  co_await refuse(std::move(refusal));
  co_return false;
}

// Reads some bytes, unless the deadline passes first.
asio::awaitable<void> Connection::read_more() {
  if (reader_.wants_continue()) {
    const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    const std::array buffers{asio::const_buffer(asio::buffer(go_on))};
    co_await transport_->write(buffers);
  }
  std::array<char, kReadBytes> bytes;
  std::size_t count = 0;
  try {
    count = co_await transport_->read_some(asio::buffer(bytes));
  } catch (const boost::system::system_error&) {
    if (!timed_out_) throw;
  }
  if (!timed_out_) reader_.feed(std::string_view(bytes.data(), count));
}

// The next piece of a streamed body.
asio::awaitable<BodyPart> Connection::read_piece() {
  if (is_broken_) co_return broken_off();
  std::string piece;
  set_deadline(limit_in(ReadState::kBody));
  try {
    while (reader_.state() == ReadState::kBody && piece.size() < kPieceBytes && !timed_out_) {
      piece += reader_.take_body();
      if (piece.size() < kPieceBytes) co_await read_more();
    }
  } catch (const boost::system::system_error& ended) {
    log()->debug("connection {}: closed inside a request body: {}", peer_, ended.what());
    is_broken_ = true;
  }
  clear_deadline();
  const ReadState state = reader_.state();
  if (is_broken_) co_return broken_off();
  if (timed_out_ || state == ReadState::kFailed) {
    timed_out_ = false;
    co_return refusal_at(state);
  }
  piece += reader_.take_body();
  co_return piece;
}

std::chrono::milliseconds Connection::limit_in(ReadState state) const {
  if (state == ReadState::kIdle) return context_.limits.idle_timeout;
  return state == ReadState::kHead ? context_.limits.header_timeout : context_.limits.body_timeout;
}

// The response when reading stops in this state: a rejection or a timeout.
Response Connection::refusal_at(ReadState state) {
  if (state == ReadState::kFailed) return reader_.take_refusal();
  if (state == ReadState::kHead) {
    return error_response(timeout_error("head", context_.limits.header_timeout));
  }
  return error_response(timeout_error("body", context_.limits.body_timeout));
}

// Of every response to this request.
Headers Connection::common_headers(const Request& request) const {
  Headers headers = context_.access.response_headers(request);
  const bool has_hsts =
      transport_->is_tls() && !is_localhost(request.header("host").value_or("localhost"));
  if (has_hsts) headers.emplace_back("Strict-Transport-Security", kHsts);
  return headers;
}

// Before the body is read: a sender without access cannot make the server take it in.
std::optional<Response> Connection::check_access(const FoundRoute& found) {
  Request& request = reader_.head();
  request.peer = peer_;
  request.peer_user = peer_user_;
  return context_.access.check(found ? found->route : nullptr, request);
}

// Consumes both arguments.
asio::awaitable<Response> Connection::answer(Request& request, RouteMatch& found) {
  const Route& route = *found.route;
  request.path_params = std::move(found.path_params);
  const std::string target = request.method + " " + request.path;
  Body body(*this);
  try {
    if (route.body_handler) co_return co_await route.body_handler(std::move(request), body, shard_);
    co_return co_await route.handler(std::move(request), shard_);
  } catch (const std::exception& failure) {
    log()->error("{} from {}: {}", quote(target), peer_, failure.what());
  }
  co_return error_response({.kind = ErrorKind::kInternalError,
                            .message = "the request failed in the server",
                            .hint = "see the server's log"});
}

asio::awaitable<void> Connection::write(const Response& response, std::string head) {
  set_deadline(context_.limits.write_timeout);
  std::array<asio::const_buffer, 2> buffers{asio::buffer(head)};
  if (response.body) buffers[1] = asio::buffer(*response.body);
  ORIEL_FAILPOINT(kResponseBefore);
  co_await transport_->write(buffers);
  ORIEL_FAILPOINT(kResponseAfter);
  if (timed_out_) throw boost::system::system_error(asio::error::timed_out);
  if (response.source.next) co_await write_source(response.source);
}

asio::awaitable<void> Connection::write_source(const BodySource& source) {
  std::uint64_t left = source.size;
  while (left > 0) {
    clear_deadline();
    const std::string piece = co_await source.next();
    if (piece.empty() || piece.size() > left)
      throw boost::system::system_error(asio::error::eof, "a body's source");
    set_deadline(context_.limits.write_timeout);
    const std::array buffers{asio::const_buffer(asio::buffer(piece))};
    co_await transport_->write(buffers);
    if (timed_out_) throw boost::system::system_error(asio::error::timed_out);
    left -= piece.size();
  }
}

// Sends the response to an unreadable request and closes. Drains further input for a moment:
// closing with unread input makes the kernel reset the connection and discard the response.
asio::awaitable<void> Connection::refuse(Response response) {
  timed_out_ = false;
  std::string head = serialize_head(response, body_bytes(response), false);
  co_await write(response, std::move(head));
  transport_->shutdown_send();
  set_deadline(kLingerTimeout);
  std::array<char, kReadBytes> dropped;
  while (!timed_out_)
    co_await transport_->read_some(asio::buffer(dropped));
}

void Connection::set_deadline(std::chrono::milliseconds limit) {
  timed_out_ = false;
  due_ = Clock::now() + limit;
  if (!is_timer_running_ || timer_.expiry() > due_) watch_deadline();
}

// The timer fires at least once per shortest limit, so a new deadline rarely needs to re-arm it:
// setting a deadline only stores a number.
void Connection::watch_deadline() {
  const ConnectionLimits& limits = context_.limits;
  const auto shortest = std::min(
      {limits.header_timeout, limits.body_timeout, limits.write_timeout, limits.idle_timeout});
  is_timer_running_ = true;
  timer_.expires_at(std::min(due_, Clock::now() + shortest));
  timer_.async_wait([weak = weak_from_this()](error_code ec) {
    const auto self = weak.lock();
    if (!ec && self && self->transport_) self->check_deadline();
  });
}

void Connection::check_deadline() {
  is_timer_running_ = false;
  if (due_ == kNever) return;
  if (due_ > Clock::now()) return watch_deadline();
  timed_out_ = true;
  transport_->cancel();
}

}  // namespace oriel::http
