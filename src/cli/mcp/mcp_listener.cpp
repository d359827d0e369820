#include "cli/mcp/mcp_listener.h"

#include <utility>

namespace oriel {

asio::awaitable<void> McpListener::follow(McpCallPtr call) {
  call->subscription.emplace(call->line);
  for (;;) {
    auto following = follow_once(call);
    const bool may_continue = co_await std::move(following);
    if (!may_continue || call->is_cancelled) co_return;
    auto waiting = forwarder_.wait_to_retry(call);
    co_await std::move(waiting);
    if (call->is_cancelled) co_return;
  }
}

// One stream. False if the call is over.
asio::awaitable<bool> McpListener::follow_once(McpCallPtr call) {
  auto posting = forwarder_.post(call);
  auto posted = co_await std::move(posting);
  if (call->is_cancelled) co_return false;
  if (!posted) {
    if (may_retry(posted.error())) co_return true;
    forwarder_.fail(*call, connection_error(posted.error()));
    co_return false;
  }
  if (may_retry(*posted)) co_return true;
  if (after_post(*posted) != AfterPost::kStream) {
    auto finishing = forwarder_.finish_with(call, std::move(*posted));
    co_await std::move(finishing);
    co_return false;
  }
  auto reading = forwarder_.read_stream(call);
  co_await std::move(reading);
  if (call->failure) forwarder_.fail(*call, *call->failure);
  co_return !call->is_answered();
}

asio::awaitable<void> McpListener::listen() {
  own_ = std::make_shared<McpCall>(McpLine());
  return keep_open(own_);
}

void McpListener::reopen() {
  if (own_ && own_->http) own_->http->close();
}

asio::awaitable<void> McpListener::keep_open(McpCallPtr call) {
  bool is_wanted = true;
  while (is_wanted) {
    if (call->session != session_.number()) call->last_id.clear();
    call->session = session_.number();
    call->failure.reset();
    auto listening = listen_once(call);
    is_wanted = co_await std::move(listening);
    if (!is_wanted || call->session != session_.number()) continue;
    auto waiting = forwarder_.wait_to_retry(call);
    co_await std::move(waiting);
  }
  own_ = nullptr;
}

// One connection. False if it should not be reopened.
asio::awaitable<bool> McpListener::listen_once(McpCallPtr call) {
  call->http.emplace();
  auto opening = call->http->open(session_.stream(call->last_id), kMcpDeadlines);
  const auto answer = co_await std::move(opening);
  if (!answer) {
    if (!may_retry(answer.error())) notice_(answer.error().message);
    co_return may_retry(answer.error());
  }
  switch (after_get(*answer)) {
    case AfterGet::kStream: {
      auto reading = forwarder_.read_stream(call);
      co_await std::move(reading);
      co_return !call->failure;
    }
    case AfterGet::kGone: {
      auto renewing = session_.renew(call->session);
      const auto renewed = co_await std::move(renewing);
      if (!renewed) notice_(renewed.error().message);
      co_return true;
    }
    case AfterGet::kPurged:
      if (!std::exchange(call->has_purge, true))
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

}  // namespace oriel
