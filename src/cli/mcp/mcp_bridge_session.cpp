// The session that the bridge has with its server, and the session's own stream.

#include "base/json_access.h"
#include "cli/mcp/mcp_bridge_call.h"
#include "runtime/deadline.h"

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void McpBridge::begin_session() {
  ++session_;
  if (listener_ && listener_->http) listener_->http->close();  // it goes on in the new session
  changed_.notify();
}

void McpBridge::start_listening() {
  if (listener_ || is_finishing_ || !memory_.is_open()) return;
  listener_ = std::make_shared<Call>(McpLine());
  tasks_.spawn("mcp stream", listen(listener_));
}

// Keeps the session's own stream open, over cuts and over sessions.
asio::awaitable<void> McpBridge::listen(CallPtr call) {
  bool goes_on = true;
  while (goes_on) {
    if (call->session != session_) call->last_id.clear();
    call->session = session_;
    call->failure.reset();
    auto listening = listen_once(call);
    goes_on = co_await std::move(listening);
    if (!goes_on || call->session != session_) continue;
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

// One connection. False: there will be no other.
asio::awaitable<bool> McpBridge::listen_once(CallPtr call) {
  call->http.emplace();
  auto opening = call->http->open(stream_request(*call), kBridgeDeadlines);
  const auto answer = co_await std::move(opening);
  if (!answer) {
    if (!is_worth_a_retry(answer.error())) notice_(answer.error().message);
    co_return is_worth_a_retry(answer.error());
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
      notice_("some messages of the server were lost: it no longer holds them");
      call->last_id.clear();
      co_return true;
    case AfterGet::kDone:
    case AfterGet::kTaken:
    case AfterGet::kRetry:
      co_return true;
    case AfterGet::kRefused:
      notice_("no messages beside answers: " + refusal_of(*answer).message);
      co_return false;
    case AfterGet::kNone:
      break;
  }
  co_return false;
}

// One at a time, and none if `session` is no longer the newest.
asio::awaitable<Result<void>> McpBridge::renew(unsigned session) {
  while (is_renewing_)
    co_await changed_.wait();
  if (session != session_) co_return Result<void>();
  is_renewing_ = true;
  auto beginning = outcome_of(begin_again());
  auto outcome = co_await std::move(beginning);
  is_renewing_ = false;
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  if (*outcome.result) start_listening();
  co_return std::move(*outcome.result);
}

asio::awaitable<Result<void>> McpBridge::begin_again() {
  McpLine hello;
  hello.kind = McpLineKind::kInitialize;
  hello.text = memory_.begin_again();
  auto fetching = fetch(post_request(hello), kBridgeDeadlines);
  const auto answer = co_await std::move(fetching);
  if (!answer) co_return away(server_, answer.error());
  if (answer->status != 200) co_return refusal_of(*answer);
  const auto begun = memory_.begun_again(object_of(member(parse_object(answer->body), "result")),
                                         answer->header("mcp-session-id").value_or(""));
  if (!begun) co_return begun.error();
  begin_session();
  notice_("the server had forgotten the session; began it again");
  for (std::string& text : memory_.repeat()) {
    McpLine again;
    again.text = std::move(text);
    auto repeating = fetch(post_request(again), kBridgeDeadlines);
    const auto repeated = co_await std::move(repeating);
    if (!repeated) co_return away(server_, repeated.error());
  }
  co_return Result<void>();
}

}  // namespace oriel
