#include "cli/mcp/mcp_forwarder.h"

#include "runtime/deadline.h"

#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kSilence = seconds(90);  // without a keep-alive, then the connection is dead
constexpr milliseconds kResumeTime = seconds(60);  // to reach the server again
// The responses to a batch arrive together, after the slowest.
constexpr HttpDeadlines kBatchDeadlines{.connect = seconds(10), .response = seconds(600)};

mcp::RpcError lost_response(std::string message) {
  return {.code = kConnectionError, .message = std::move(message), .data = {}};
}

}  // namespace

asio::awaitable<void> McpForwarder::answer(McpCallPtr call) {
  auto posting = post(call);
  auto posted = co_await std::move(posting);
  call->is_sent = true;
  changed_.notify();
  if (!posted) co_return fail(*call, connection_error(posted.error()));
  if (call->is_cancelled) co_return;
  call->session_id = posted->header("mcp-session-id").value_or("");
  if (after_post(*posted) == AfterPost::kStream) {
    auto following = follow(call);
    co_return co_await std::move(following);
  }
  auto finishing = finish_with(call, std::move(*posted));
  co_await std::move(finishing);
}

asio::awaitable<void> McpForwarder::finish_with(McpCallPtr call, HttpResponse posted) {
  const AfterPost next = after_post(posted);
  if (next == AfterPost::kAccepted)
    co_return fail(*call, lost_response("the server accepted the request, but sends no response"));
  auto reading = call->http->read_rest(kMcpDeadlines.response, kMaxMcpMessageBytes);
  auto body = co_await std::move(reading);
  if (!body) co_return fail(*call, connection_error(session_.unreachable(body.error())));
  posted.body = std::move(*body);
  if (next == AfterPost::kBody) deliver(*call, posted.body);
  fail(*call, rejection_error(posted));  // requests without a response
}

asio::awaitable<Result<HttpResponse>> McpForwarder::post(McpCallPtr call) {
  const bool is_in_session = !call->is_stateless() && call->line.kind != McpLineKind::kInitialize;
  for (bool is_again = false;; is_again = true) {
    call->session = session_.number();
    call->http.emplace();
    const bool is_batch = call->line.method.empty() && !call->line.ids.empty();
    auto opening =
        call->http->open(session_.post(call->line), is_batch ? kBatchDeadlines : kMcpDeadlines);
    auto answer = co_await std::move(opening);
    if (!answer) co_return session_.unreachable(answer.error());
    const bool is_lost =
        is_in_session && session_.is_open() && after_post(*answer) == AfterPost::kGone;
    if (!is_lost || is_again) co_return answer;
    auto renewing = session_.renew(call->session);
    const auto renewed = co_await std::move(renewing);
    if (!renewed) co_return renewed.error();
  }
}

asio::awaitable<void> McpForwarder::follow(McpCallPtr call) {
  for (;;) {
    auto reading = read_stream(call);
    const std::string cut = co_await std::move(reading);
    if (call->is_answered() || call->is_cancelled) co_return;
    if (call->failure) co_return fail(*call, *call->failure);
    if (call->last_id.empty())
      co_return fail(
          *call, lost_response("the response was cut off: " + cut + "; send the request again"));
    auto resuming = resume(call);
    const bool is_resumed = co_await std::move(resuming);
    if (!is_resumed) co_return fail(*call, *call->failure);
  }
}

// On false, the call's failure has the reason.
asio::awaitable<bool> McpForwarder::resume(McpCallPtr call) {
  const auto until = Clock::now() + kResumeTime;
  for (;;) {
    asio::steady_timer timer(co_await asio::this_coro::executor, next_delay(*call));
    co_await timer.async_wait(asio::use_awaitable);
    call->failure =
        lost_response("the server has lost this request, as after a restart; send it again");
    if (call->is_cancelled || call->session != session_.number()) co_return false;
    call->http.emplace();
    auto opening = call->http->open(session_.stream(call->last_id), kMcpDeadlines);
    auto answer = co_await std::move(opening);
    const AfterGet next = answer ? after_get(*answer) : AfterGet::kRetry;
    if (next == AfterGet::kStream) {
      call->failure.reset();
      co_return true;
    }
    if (next == AfterGet::kRetry && Clock::now() < until) continue;
    if (!answer) call->failure = connection_error(session_.unreachable(answer.error()));
    if (next == AfterGet::kDone)
      call->failure = lost_response("the server ended this request without a response");
    const bool has_error = next == AfterGet::kPurged || next == AfterGet::kRefused;
    if (!has_error) co_return false;
    auto reading = call->http->read_rest(kMcpDeadlines.response);
    auto body = co_await std::move(reading);
    if (body) answer->body = std::move(*body);
    call->failure = rejection_error(*answer);
    co_return false;
  }
}

asio::awaitable<std::string> McpForwarder::read_stream(McpCallPtr call) {
  SseParser parser;
  const auto on_event = [&](const SseEvent& event) { take_event(*call, event); };
  for (;;) {
    co_await output_.wait_for_space();
    const auto bytes = co_await call->http->read(kSilence);
    if (!bytes) co_return bytes.error().message;
    if (bytes->empty()) co_return std::string("the server ended the stream");
    parser.feed(*bytes, on_event);
    if (parser.held() > kMaxMcpMessageBytes)
      call->failure = lost_response("the server's message is larger than 64MiB");
    if (call->failure || call->is_answered()) co_return std::string();
    if (!parser.last_id().empty()) call->last_id = parser.last_id();
    if (parser.retry_ms() > 0) call->backoff.set_retry(milliseconds(parser.retry_ms()));
  }
}

void McpForwarder::take_event(McpCall& call, const SseEvent& event) {
  if (call.failure) return;
  // For a stream that it does not know, the server sends the session's own, which is read
  // elsewhere. Without a session each stream has a name of its own.
  const bool is_other_stream = !call.is_stateless() && !call.line.ids.empty() &&
                               !call.last_id.empty() && !is_same_stream(call.last_id, event.id);
  if (is_other_stream) {
    call.failure =
        lost_response("the server no longer holds the response to this request; send it again");
    return;
  }
  // The first event of a stream is empty: a stream that ends after it is no progress.
  if (event.data.empty()) return;
  call.backoff.reset();
  call.has_purge = false;
  deliver(call, event.data);
}

void McpForwarder::deliver(McpCall& call, std::string_view message) {
  if (call.subscription) {
    if (const auto lines = call.subscription->replace(message)) {
      for (const std::string& line : *lines)
        output_.push(line);
      return;
    }
  }
  auto taken = call.reply.take(message);
  if (!taken.is_message) notice_("dropped a message of the server that is not JSON-RPC");
  for (const mcp::RpcResponse& response : taken.answers)
    if (response.result) session_.learn(call, *response.result);
  if (!taken.line.empty()) output_.push(taken.line);
}

void McpForwarder::fail(McpCall& call, const mcp::RpcError& error) {
  const auto lines = call.reply.fail(error);
  if (call.is_cancelled || !may_fail_) return;
  for (const std::string& line : lines)
    output_.push(line);
}

asio::awaitable<void> McpForwarder::wait_to_retry(McpCallPtr call) {
  const auto until = Clock::now() + next_delay(*call);
  while (!call->is_cancelled && call->session == session_.number() && Clock::now() < until) {
    auto waiting = changed_.wait();
    auto limited = with_deadline(until - Clock::now(), std::move(waiting));
    try {
      co_await std::move(limited);
    } catch (const TimedOut&) {
      break;
    }
  }
}

milliseconds McpForwarder::next_delay(McpCall& call) {
  return call.backoff.next(std::uniform_real_distribution<>(0, 1)(random_));
}

}  // namespace oriel
