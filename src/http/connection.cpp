#include "http/connection.h"

#include "base/log.h"
#include "base/text/quote.h"

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace oriel::http {
namespace {

constexpr std::chrono::milliseconds kLingerTimeout{1000};
constexpr std::size_t kReadBytes = 8192;
constexpr std::size_t kPieceBytes = 256 << 10;  // of a streamed body

Error timeout_error(std::string_view part, std::chrono::milliseconds limit) {
  return {.kind = ErrorKind::kRequestTimeout,
          .message = "the request's " + std::string(part) + " was not complete after " +
                     std::to_string(limit.count()) + " ms",
          .hint = "send the whole request at once"};
}

Response broken_off() {
  return error_response(400, {.kind = ErrorKind::kBrokenOff,
                              .message = "the connection ended before the body did",
                              .hint = "send it again"});
}

std::uint64_t body_bytes(const Response& response) {
  if (response.source.next) return response.source.size;
  return response.body ? response.body->size() : 0;
}

bool takes_pieces(const FoundRoute& found) {
  return found && found->route->body_handler;
}

}  // namespace

class Connection::Body : public RequestBody {
 public:
  explicit Body(Connection& connection) : connection_(connection) {}

  asio::awaitable<BodyPart> next() override { return connection_.read_piece(); }

 private:
  Connection& connection_;
};

Connection::Connection(Shard& shard, ConnectionContext& context,
                       std::unique_ptr<Transport> transport)
    : shard_(shard),
      context_(context),
      transport_(std::move(transport)),
      reader_(context.limits.request, body_limit()),
      peer_(transport_->peer()),
      timer_(shard.executor()) {}

asio::awaitable<void> Connection::run() {
  try {
    co_await serve();
  } catch (const boost::system::system_error& ended) {
    log()->debug("connection {}: {}", peer_, ended.what());
  }
  timer_.cancel();
}

void Connection::stop() {
  if (is_idle_ && transport_) transport_->close();
}

BodyLimit Connection::body_limit() const {
  return [&context = context_](const Request& head) -> std::uint64_t {
    const FoundRoute found = context.router.find(head.method, head.path);
    return takes_pieces(found) ? found->route->max_body_bytes
                               : context.limits.request.max_body_bytes;
  };
}

asio::awaitable<void> Connection::serve() {
  set_deadline(context_.limits.header_timeout);
  co_await transport_->handshake();
  while (co_await read_until(ReadState::kBody)) {
    FoundRoute found = context_.router.find(reader_.head().method, reader_.head().path);
    const bool is_in_pieces = takes_pieces(found);
    if (!is_in_pieces && reader_.state() != ReadState::kDone) {
      const bool is_whole = co_await read_until(ReadState::kDone);
      if (!is_whole) co_return;
    }
    Request request = is_in_pieces ? reader_.head() : reader_.take_request();
    request.peer = peer_;
    const bool is_head = request.method == "HEAD";
    bool keep_alive = request.keep_alive && !context_.is_stopping;
    context_.requests.fetch_add(1, std::memory_order_relaxed);

    clear_deadline();
    Response response = co_await answer(request, found);
    if (response.take_over) {
      response.take_over(std::move(transport_), serialize_head(response, std::nullopt, false));
      co_return;
    }
    if (is_broken_) co_return;
    if (is_in_pieces && reader_.state() != ReadState::kDone) {
      co_await refuse(std::move(response));
      co_return;
    }
    if (is_in_pieces) reader_.take_request();
    keep_alive = keep_alive && !context_.is_stopping;
    std::string head = serialize_head(response, body_bytes(response), keep_alive);
    if (is_head) {
      response.body = nullptr;
      response.source = {};
    }
    co_await write(response, std::move(head));
    if (!keep_alive) co_return;
  }
}

// Returns false when the connection must close: the peer closed it, or its request was rejected.
asio::awaitable<bool> Connection::read_until(ReadState goal) {
  ReadState state = reader_.state();
  set_deadline(limit_in(state));
  while (state < goal) {
    is_idle_ = state == ReadState::kIdle;
    if (is_idle_ && context_.is_stopping) co_return false;
    co_await read_more();
    is_idle_ = false;
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
    return error_response(408, timeout_error("head", context_.limits.header_timeout));
  }
  return error_response(408, timeout_error("body", context_.limits.body_timeout));
}

// Consumes both arguments.
asio::awaitable<Response> Connection::answer(Request& request, FoundRoute& found) {
  if (auto refused = context_.access.check_origin(request)) co_return *std::move(refused);
  if (!found) co_return found.error();
  const Route& route = *found->route;
  request.path_params = std::move(found->path_params);
  if (auto refused = context_.access.authorize(route, request)) co_return *std::move(refused);
  const std::string target = request.method + " " + request.path;
  Body body(*this);
  try {
    if (route.body_handler) co_return co_await route.body_handler(std::move(request), body, shard_);
    co_return co_await route.handler(std::move(request), shard_);
  } catch (const std::exception& failure) {
    log()->error("{} from {}: {}", quote(target), peer_, failure.what());
  }
  co_return error_response(500, {.kind = ErrorKind::kInternalError,
                                 .message = "the server failed to answer",
                                 .hint = "its log says why"});
}

asio::awaitable<void> Connection::write(const Response& response, std::string head) {
  set_deadline(context_.limits.write_timeout);
  std::array<asio::const_buffer, 2> buffers{asio::buffer(head)};
  if (response.body) buffers[1] = asio::buffer(*response.body);
  co_await transport_->write(buffers);
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
