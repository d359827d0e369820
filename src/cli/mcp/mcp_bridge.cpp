#include "cli/mcp/mcp_bridge_call.h"
#include "runtime/deadline.h"

#include <algorithm>
#include <iterator>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxCalls = 256;
constexpr milliseconds kSilence = seconds(90);  // without a keep-alive, then the connection is dead
constexpr milliseconds kResumeTime = seconds(60);  // to reach the server again
// The responses to a batch arrive together, after the slowest.
constexpr HttpDeadlines kBatchDeadlines{.connect = seconds(10), .response = seconds(600)};
constexpr HttpDeadlines kDeleteDeadlines{.connect = seconds(1), .response = seconds(1)};

mcp::RpcError lost(std::string message) {
  return {.code = kConnectionError, .message = std::move(message), .data = {}};
}

}  // namespace

Error unreachable(const ServerAccess& server, Error error) {
  if (error.hint.empty() && error.kind == ErrorKind::kConnectFailed)
    error.hint =
        "no server is running there: start it with `oriel serve`, or set --url (ORIEL_URL)";
  return unreachable_error(server, std::move(error));
}

McpBridge::McpBridge(asio::any_io_executor executor, ServerAccess server, LineQueue& output,
                     Notice notice)
    : server_(std::move(server)),
      output_(output),
      notice_(std::move(notice)),
      changed_(executor),
      tasks_(executor) {}

McpBridge::~McpBridge() = default;

asio::awaitable<void> McpBridge::take(std::string text) {
  if (is_finishing_) co_return;
  auto line = read_mcp_line(std::move(text));
  if (!line) {
    output_.push(mcp::rpc_error(line.error().id, line.error().error));
    co_return;
  }
  if (!line->version.empty()) stateless_version_ = line->version;
  const bool wants_answer = !line->ids.empty();
  if (!wants_answer && !memory_.is_open()) line->version = stateless_version_;
  if (line->kind == McpLineKind::kCancel) {
    auto cancelling = cancel(std::move(*line));
    co_return co_await std::move(cancelling);
  }
  if (!wants_answer) {
    auto notifying = notify(std::move(*line));
    co_return co_await std::move(notifying);
  }
  const CallPtr call = begin(std::move(*line));
  if (calls_.size() > kMaxCalls) {
    fail(*call, lost("more than " + std::to_string(kMaxCalls) +
                     " requests are pending; wait for a response"));
    calls_.remove(call);
    co_return;
  }
  auto running = run(call);
  if (call->line.kind != McpLineKind::kInitialize)
    co_return tasks_.spawn("mcp request", std::move(running));
  // Later lines belong to the session that this starts.
  co_await std::move(running);
}

asio::awaitable<void> McpBridge::finish(milliseconds grace) {
  const auto until = Clock::now() + grace;
  while (has_pending_requests() && Clock::now() < until) {
    auto waiting = changed_.wait();
    auto limited = outcome_of(with_deadline(until - Clock::now(), std::move(waiting)));
    co_await std::move(limited);
  }
  is_finishing_ = true;
  tasks_.cancel();
  co_await tasks_.joined();
  if (memory_.session_id().empty()) co_return;
  auto end_session = request("DELETE");
  for (auto& header : memory_.headers())
    end_session.headers.push_back(std::move(header));
  // If it fails, the session expires.
  auto ending = fetch(std::move(end_session), kDeleteDeadlines);
  co_await std::move(ending);
}

McpBridge::CallPtr McpBridge::begin(McpLine line) {
  auto call = std::make_shared<Call>(std::move(line));
  calls_.push_back(call);
  return call;
}

McpBridge::CallPtr McpBridge::find(const boost::json::value& id) const {
  const auto has_id = [&id](const CallPtr& call) {
    const auto& ids = call->line.ids;
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const auto found = std::find_if(calls_.begin(), calls_.end(), has_id);
  return found == calls_.end() ? nullptr : *found;
}

bool McpBridge::has_pending_requests() const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [](const CallPtr& call) { return !is_listening(call->line); });
}

asio::awaitable<void> McpBridge::run(CallPtr call) {
  auto answering = outcome_of(answer(call));
  const Outcome<void> outcome = co_await std::move(answering);
  call->is_sent = true;
  calls_.remove(call);
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
}

asio::awaitable<void> McpBridge::answer(CallPtr call) {
  auto posting = post(call);
  auto posted = co_await std::move(posting);
  call->is_sent = true;
  changed_.notify();
  if (!posted) co_return fail(*call, connection_error(posted.error()));
  if (call->is_cancelled) co_return;
  call->session_id = posted->header("mcp-session-id").value_or("");
  const AfterPost next = after_post(*posted);
  if (next == AfterPost::kStream) {
    auto following = follow(call);
    co_return co_await std::move(following);
  }
  if (next == AfterPost::kAccepted)
    co_return fail(*call, lost("the server accepted the request, but sends no response"));
  auto reading = call->http->read_rest(kBridgeDeadlines.response, kMaxMcpMessageBytes);
  auto body = co_await std::move(reading);
  if (!body) co_return fail(*call, connection_error(unreachable(server_, body.error())));
  posted->body = std::move(*body);
  if (next == AfterPost::kBody) deliver(*call, posted->body);
  fail(*call, rejection_error(*posted));  // requests without a response
}

// A request in a session that the server has lost was not started: it is sent again in a new one.
asio::awaitable<Result<HttpResponse>> McpBridge::post(CallPtr call) {
  const bool is_in_session = !call->is_stateless() && call->line.kind != McpLineKind::kInitialize;
  for (bool is_again = false;; is_again = true) {
    call->session = session_;
    call->http.emplace();
    const bool is_batch = call->line.method.empty() && !call->line.ids.empty();
    auto opening =
        call->http->open(post_request(call->line), is_batch ? kBatchDeadlines : kBridgeDeadlines);
    auto answer = co_await std::move(opening);
    if (!answer) co_return unreachable(server_, answer.error());
    const bool is_lost =
        is_in_session && memory_.is_open() && after_post(*answer) == AfterPost::kGone;
    if (!is_lost || is_again) co_return answer;
    auto renewing = renew(call->session);
    const auto renewed = co_await std::move(renewing);
    if (!renewed) co_return renewed.error();
  }
}

asio::awaitable<void> McpBridge::follow(CallPtr call) {
  for (;;) {
    auto reading = read_stream(call);
    const std::string cut = co_await std::move(reading);
    if (call->is_answered() || call->is_cancelled) co_return;
    if (call->failure) co_return fail(*call, *call->failure);
    const bool can_resume = !call->is_stateless() && !call->last_id.empty();
    if (!can_resume)
      co_return fail(*call, lost("the response was cut off: " + cut + "; send the request again"));
    auto resuming = resume(call);
    const bool is_resumed = co_await std::move(resuming);
    if (!is_resumed) co_return fail(*call, *call->failure);
  }
}

// On false, the call's failure has the reason.
asio::awaitable<bool> McpBridge::resume(CallPtr call) {
  const auto until = Clock::now() + kResumeTime;
  for (;;) {
    auto waiting = pause(call->backoff.next(random()));
    co_await std::move(waiting);
    call->failure = lost("the server has lost this request, as after a restart; send it again");
    if (call->is_cancelled || call->session != session_) co_return false;
    call->http.emplace();
    auto opening = call->http->open(stream_request(*call), kBridgeDeadlines);
    auto answer = co_await std::move(opening);
    const AfterGet next = answer ? after_get(*answer) : AfterGet::kRetry;
    if (next == AfterGet::kStream) {
      call->failure.reset();
      co_return true;
    }
    if (next == AfterGet::kRetry && Clock::now() < until) continue;
    if (!answer) call->failure = connection_error(unreachable(server_, answer.error()));
    if (next == AfterGet::kDone)
      call->failure = lost("the server ended this request without a response");
    const bool has_error = next == AfterGet::kPurged || next == AfterGet::kRefused;
    if (!has_error) co_return false;
    auto reading = call->http->read_rest(kBridgeDeadlines.response);
    auto body = co_await std::move(reading);
    if (body) answer->body = std::move(*body);
    call->failure = rejection_error(*answer);
    co_return false;
  }
}

// Forwards messages until the response is complete, or the stream ends: then returns the reason.
asio::awaitable<std::string> McpBridge::read_stream(CallPtr call) {
  SseParser parser;
  const auto on_event = [&](const SseEvent& event) { take_event(*call, event); };
  for (;;) {
    co_await output_.wait_for_space();
    const auto bytes = co_await call->http->read(kSilence);
    if (!bytes) co_return bytes.error().message;
    if (bytes->empty()) co_return std::string("the server ended the stream");
    parser.feed(*bytes, on_event);
    if (parser.held() > kMaxMcpMessageBytes)
      call->failure = lost("the server's message is larger than 64MiB");
    if (call->failure || call->is_answered()) co_return std::string();
    if (!parser.last_id().empty()) call->last_id = parser.last_id();
    if (parser.retry_ms() > 0) call->backoff.set_retry(milliseconds(parser.retry_ms()));
  }
}

void McpBridge::take_event(Call& call, const SseEvent& event) {
  if (call.failure) return;
  // For a stream that it does not know, the server sends the session's own, which is read
  // elsewhere.
  const bool is_other_stream =
      !call.line.ids.empty() && !call.last_id.empty() && !is_same_stream(call.last_id, event.id);
  if (is_other_stream) {
    call.failure = lost("the server no longer holds the response to this request; send it again");
    return;
  }
  call.backoff.reset();
  if (!event.data.empty()) deliver(call, event.data);
}

void McpBridge::deliver(Call& call, std::string_view message) {
  auto taken = call.reply.take(message);
  if (!taken.is_message) notice_("dropped a message of the server that is not JSON-RPC");
  for (const mcp::RpcResponse& response : taken.answers) {
    if (!response.result) continue;
    memory_.learn(call.line, *response.result, call.session_id);
    if (call.line.kind == McpLineKind::kInitialize) begin_session();
  }
  if (!taken.line.empty()) output_.push(taken.line);
}

void McpBridge::fail(Call& call, const mcp::RpcError& error) {
  const auto lines = call.reply.fail(error);
  if (call.is_cancelled || is_finishing_) return;
  for (const std::string& line : lines)
    output_.push(line);
}

// A stateless request is cancelled by closing its connection.
asio::awaitable<void> McpBridge::cancel(McpLine line) {
  const CallPtr call = find(line.cancelled);
  if (call && call->is_stateless()) {
    call->is_cancelled = true;
    if (call->http) call->http->close();
    co_return;
  }
  // The server can cancel only a request that has reached it.
  while (call && !call->is_sent)
    co_await changed_.wait();
  if (call) call->is_cancelled = true;
  if (!memory_.is_open()) co_return;
  auto notifying = notify(std::move(line));
  co_await std::move(notifying);
}

asio::awaitable<void> McpBridge::notify(McpLine line) {
  const auto call = std::make_shared<Call>(std::move(line));
  auto posting = post(call);
  const auto answer = co_await std::move(posting);
  if (is_finishing_) co_return;
  if (!answer) co_return notice_(answer.error().message);
  const bool is_accepted = answer->status / 100 == 2;
  if (!is_accepted)
    notice_(call->line.method + ": the server answered " + std::to_string(answer->status));
  if (is_accepted && call->line.kind == McpLineKind::kInitialized) start_listening();
}

HttpRequest McpBridge::request(const char* method) const {
  return make_request(server_, method, "/mcp");
}

HttpRequest McpBridge::post_request(const McpLine& line) const {
  HttpRequest post = request("POST");
  post.headers.emplace_back("Content-Type", "application/json");
  post.headers.emplace_back("Accept", "application/json, text/event-stream");
  HttpHeaders more = line.version.empty() ? memory_.headers() : stateless_headers(line);
  const bool begins = line.kind == McpLineKind::kInitialize && line.version.empty();
  if (begins) more.clear();
  std::move(more.begin(), more.end(), std::back_inserter(post.headers));
  post.body = line.text;
  return post;
}

HttpRequest McpBridge::stream_request(const Call& call) const {
  HttpRequest get = request("GET");
  get.headers.emplace_back("Accept", "text/event-stream");
  HttpHeaders more = memory_.headers();
  std::move(more.begin(), more.end(), std::back_inserter(get.headers));
  if (!call.last_id.empty()) get.headers.emplace_back("Last-Event-ID", call.last_id);
  return get;
}

asio::awaitable<void> McpBridge::pause(milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace oriel
