// The bridge's session with the server, and the session's own stream.

#include "base/text/json_access.h"
#include "cli/mcp/mcp_bridge_call.h"
#include "runtime/deadline.h"

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void McpBridge::begin_session() {
  ++session_;
  if (listener_ && listener_->http) listener_->http->close();  // reopens in the new session
  changed_.notify();
}

void McpBridge::start_listening() {
  if (listener_ || is_finishing_ || !memory_.is_open()) return;
  listener_ = std::make_shared<Call>(McpLine());
  tasks_.spawn("mcp stream", listen(listener_));
}

// Keeps the session's own stream open, across broken connections and sessions.
asio::awaitable<void> McpBridge::listen(CallPtr call) {
  bool is_wanted = true;
  while (is_wanted) {
    if (call->session != session_) call->last_id.clear();
    call->session = session_;
    call->failure.reset();
    auto listening = listen_once(call);
    is_wanted = co_await std::move(listening);
    if (!is_wanted || call->session != session_) continue;
    const auto until = Clock::now() + call->backoff.next(random());
    while (call->session == session_ && Clock::now() < until) {
      auto waiting = changed_.wait();
      auto limited = with_deadline(until - Clock::now(), std::move(waiting));
      try {
        co_await std::move(limited);
      } catch (const TimedOut&) {
        break;
      }
    }
  }
  listener_ = nullptr;
}

// One connection. False if it should not be reopened.
asio::awaitable<bool> McpBridge::listen_once(CallPtr call) {
  call->http.emplace();
  auto opening = call->http->open(stream_request(*call), kBridgeDeadlines);
  const auto answer = co_await std::move(opening);
  if (!answer) {
    if (!may_retry(answer.error())) notice_(answer.error().message);
    co_return may_retry(answer.error());
  }
  switch (after_get(*answer)) {
    case AfterGet::kStream: {
      auto reading = read_stream(call);
      co_await std::move(reading);
      co_return !call->failure;
    }
    case AfterGet::kGone: {
      auto renewing = renew(call->session);
      const auto renewed = co_await std::move(renewing);
      if (!renewed) notice_(renewed.error().message);
      co_return true;
    }
    case AfterGet::kPurged:
      notice_("messages of the server were lost: it no longer holds them");
      call->last_id.clear();
      co_return true;
    case AfterGet::kDone:
    case AfterGet::kTaken:
    case AfterGet::kRetry:
      co_return true;
    case AfterGet::kRefused:
      notice_("the server rejected the stream of notifications: " +
              response_error(*answer).message);
      co_return false;
    case AfterGet::kNone:
      break;
  }
  co_return false;
}

// Concurrent calls renew a session once.
asio::awaitable<Result<void>> McpBridge::renew(unsigned session) {
  while (is_renewing_)
    co_await changed_.wait();
  if (session != session_) co_return Result<void>();
  is_renewing_ = true;
  auto beginning = outcome_of(restart_session());
  auto outcome = co_await std::move(beginning);
  is_renewing_ = false;
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  if (*outcome.result) start_listening();
  co_return std::move(*outcome.result);
}

asio::awaitable<Result<void>> McpBridge::restart_session() {
  McpLine initialize;
  initialize.kind = McpLineKind::kInitialize;
  initialize.text = memory_.initialize_request();
  auto fetching = fetch(post_request(initialize), kBridgeDeadlines);
  const auto answer = co_await std::move(fetching);
  if (!answer) co_return unreachable(server_, answer.error());
  if (answer->status != 200) co_return response_error(*answer);
  const auto restarted = memory_.restarted(object_of(member(parse_object(answer->body), "result")),
                                           answer->header("mcp-session-id").value_or(""));
  if (!restarted) co_return restarted.error();
  begin_session();
  notice_("the server had lost the session; restarted it");
  for (std::string& text : memory_.messages_to_repeat()) {
    McpLine again;
    again.text = std::move(text);
    auto repeating = fetch(post_request(again), kBridgeDeadlines);
    const auto repeated = co_await std::move(repeating);
    if (!repeated) co_return unreachable(server_, repeated.error());
  }
  co_return Result<void>();
}

}  // namespace oriel
