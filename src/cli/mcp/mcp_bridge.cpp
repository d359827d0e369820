#include "cli/mcp/mcp_bridge.h"

#include "runtime/deadline.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxCalls = 256;

mcp::RpcError too_many_calls() {
  return {.code = kConnectionError,
          .message = "more than " + std::to_string(kMaxCalls) +
                     " requests are pending; wait for a response",
          .data = {}};
}

}  // namespace

McpBridge::McpBridge(asio::any_io_executor executor, ServerAccess server, LineQueue& output,
                     Notice notice)
    : notice_(std::move(notice)),
      output_(output),
      changed_(executor),
      session_(std::move(server), changed_, notice_,
               {.began = [this] { listener_.reopen(); }, .renewed = [this] { start_listening(); }}),
      forwarder_(session_, output, changed_, notice_),
      listener_(session_, forwarder_, notice_),
      tasks_(executor) {}

asio::awaitable<void> McpBridge::take(std::string text) {
  if (is_finishing_) co_return;
  auto line = read_mcp_line(std::move(text));
  if (!line) {
    output_.push(mcp::rpc_error(line.error().id, line.error().error));
    co_return;
  }
  if (!line->version.empty()) stateless_version_ = line->version;
  const bool wants_answer = !line->ids.empty();
  if (!wants_answer && !session_.is_open()) line->version = stateless_version_;
  if (line->kind == McpLineKind::kCancel) {
    auto cancelling = cancel(std::move(*line));
    co_return co_await std::move(cancelling);
  }
  if (!wants_answer) {
    auto notifying = notify(std::move(*line));
    co_return co_await std::move(notifying);
  }
  const McpCallPtr call = begin(std::move(*line));
  if (calls_.size() > kMaxCalls) {
    forwarder_.fail(*call, too_many_calls());
    calls_.remove(call);
    co_return;
  }
  auto running = run(call);
  if (call->line.kind != McpLineKind::kInitialize)
    co_return tasks_.spawn("mcp request", std::move(running));
  // Later lines belong to the session that this starts.
  co_await std::move(running);
}

asio::awaitable<void> McpBridge::finish(std::chrono::milliseconds grace) {
  const auto until = Clock::now() + grace;
  while (has_pending_requests() && Clock::now() < until) {
    auto waiting = changed_.wait();
    auto limited = outcome_of(with_deadline(until - Clock::now(), std::move(waiting)));
    co_await std::move(limited);
  }
  is_finishing_ = true;
  forwarder_.stop_failing();
  tasks_.cancel();
  co_await tasks_.joined();
  co_await session_.end();
}

McpCallPtr McpBridge::begin(McpLine line) {
  auto call = std::make_shared<McpCall>(std::move(line));
  calls_.push_back(call);
  return call;
}

McpCallPtr McpBridge::find(const boost::json::value& id) const {
  const auto has_id = [&id](const McpCallPtr& call) {
    const auto& ids = call->line.ids;
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const auto found = std::find_if(calls_.begin(), calls_.end(), has_id);
  return found == calls_.end() ? nullptr : *found;
}

bool McpBridge::has_pending_requests() const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [](const McpCallPtr& call) { return !is_listening(call->line); });
}

asio::awaitable<void> McpBridge::run(McpCallPtr call) {
  const bool stays_open = is_listening(call->line) && call->is_stateless();
  auto work = stays_open ? listener_.follow(call) : forwarder_.answer(call);
  auto answering = outcome_of(std::move(work));
  const Outcome<void> outcome = co_await std::move(answering);
  call->is_sent = true;
  calls_.remove(call);
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
}

// A stateless request is cancelled by closing its connection.
asio::awaitable<void> McpBridge::cancel(McpLine line) {
  const McpCallPtr call = find(line.cancelled);
  if (call && call->is_stateless()) {
    call->is_cancelled = true;
    if (call->http) call->http->close();
    changed_.notify();
    co_return;
  }
  // The server can cancel only a request that has reached it.
  while (call && !call->is_sent)
    co_await changed_.wait();
  if (call) call->is_cancelled = true;
  if (!session_.is_open()) co_return;
  auto notifying = notify(std::move(line));
  co_await std::move(notifying);
}

asio::awaitable<void> McpBridge::notify(McpLine line) {
  const auto call = std::make_shared<McpCall>(std::move(line));
  auto posting = forwarder_.post(call);
  const auto answer = co_await std::move(posting);
  if (is_finishing_) co_return;
  if (!answer) co_return notice_(answer.error().message);
  const bool is_accepted = answer->status / 100 == 2;
  if (!is_accepted)
    notice_(call->line.method + ": the server answered " + std::to_string(answer->status));
  if (is_accepted && call->line.kind == McpLineKind::kInitialized) start_listening();
}

void McpBridge::start_listening() {
  if (listener_.is_listening() || is_finishing_ || !session_.is_open()) return;
  tasks_.spawn("mcp stream", listener_.listen());
}

}  // namespace oriel
