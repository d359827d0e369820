#include "cli/mcp/mcp_session.h"

#include "base/text/json_access.h"
#include "runtime/deadline.h"

#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr HttpDeadlines kDeleteDeadlines{.connect = std::chrono::seconds(1),
                                         .response = std::chrono::seconds(1)};

void append_headers(HttpHeaders& headers, HttpHeaders more) {
  std::move(more.begin(), more.end(), std::back_inserter(headers));
}

}  // namespace

McpSession::McpSession(ServerAccess server, Condition& changed, Notice notice,
                       McpSessionEvents events)
    : server_(std::move(server)),
      changed_(changed),
      notice_(std::move(notice)),
      events_(std::move(events)) {}

void McpSession::learn(const McpCall& call, const boost::json::object& result) {
  memory_.learn(call.line, result, call.session_id);
  if (call.line.kind == McpLineKind::kInitialize) begin();
}

void McpSession::begin() {
  ++number_;
  events_.began();
  changed_.notify();
}

asio::awaitable<Result<void>> McpSession::renew(unsigned number) {
  while (is_renewing_)
    co_await changed_.wait();
  if (number != number_) co_return Result<void>();
  is_renewing_ = true;
  auto beginning = outcome_of(restart());
  auto outcome = co_await std::move(beginning);
  is_renewing_ = false;
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  if (*outcome.result) events_.renewed();
  co_return std::move(*outcome.result);
}

asio::awaitable<Result<void>> McpSession::restart() {
  McpLine initialize;
  initialize.kind = McpLineKind::kInitialize;
  initialize.text = memory_.initialize_request();
  auto fetching = fetch(post(initialize), kMcpDeadlines);
  const auto answer = co_await std::move(fetching);
  if (!answer) co_return unreachable(answer.error());
  if (answer->status != 200) co_return response_error(*answer);
  const auto restarted = memory_.restarted(object_of(member(parse_object(answer->body), "result")),
                                           answer->header("mcp-session-id").value_or(""));
  if (!restarted) co_return restarted.error();
  begin();
  notice_("the server had lost the session; restarted it");
  for (std::string& text : memory_.messages_to_repeat()) {
    McpLine again;
    again.text = std::move(text);
    auto repeating = fetch(post(again), kMcpDeadlines);
    const auto repeated = co_await std::move(repeating);
    if (!repeated) co_return unreachable(repeated.error());
  }
  co_return Result<void>();
}

asio::awaitable<void> McpSession::end() {
  if (memory_.session_id().empty()) co_return;
  HttpRequest end = make_request(server_, "DELETE", "/mcp");
  append_headers(end.headers, memory_.headers());
  // If it fails, the session expires.
  auto ending = fetch(std::move(end), kDeleteDeadlines);
  co_await std::move(ending);
}

HttpRequest McpSession::post(const McpLine& line) const {
  HttpRequest post = make_request(server_, "POST", "/mcp");
  post.headers.emplace_back("Content-Type", "application/json");
  post.headers.emplace_back("Accept", "application/json, text/event-stream");
  const bool begins = line.kind == McpLineKind::kInitialize && line.version.empty();
  if (!begins)
    append_headers(post.headers,
                   line.version.empty() ? memory_.headers() : stateless_headers(line));
  post.body = line.text;
  return post;
}

HttpRequest McpSession::stream(std::string_view last_id) const {
  HttpRequest get = make_request(server_, "GET", "/mcp");
  get.headers.emplace_back("Accept", "text/event-stream");
  append_headers(get.headers, memory_.headers());
  if (!last_id.empty()) get.headers.emplace_back("Last-Event-ID", last_id);
  return get;
}

Error McpSession::unreachable(Error error) const {
  if (error.hint.empty() && error.kind == ErrorKind::kConnectFailed)
    error.hint =
        "no server is running there: start it with `oriel serve`, or set --url (ORIEL_URL)";
  return unreachable_error(server_, std::move(error));
}

}  // namespace oriel
