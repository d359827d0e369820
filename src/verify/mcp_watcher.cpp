#include "verify/mcp_watcher.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "verify/feed_reader.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr const char* kProtocolVersion = "2025-11-25";
constexpr std::chrono::seconds kStreamSilence{3};

// No such client session, or its events are no longer held.
bool is_gone(const HttpResponse& response) {
  return response.status == 404 || response.status == 410;
}

}  // namespace

McpWatcher::McpWatcher(ServerAccess server, std::string name,
                       std::function<std::vector<std::string>()> sessions)
    : server_(std::move(server)), name_(std::move(name)), sessions_(std::move(sessions)) {}

asio::awaitable<void> McpWatcher::run() {
  while (!is_stopping_) {
    bool is_ready = !client_session_.empty();
    if (!is_ready) {
      auto initializing = initialize();
      is_ready = co_await std::move(initializing);
    }
    if (is_ready) {
      co_await watch_new_sessions();
      co_await listen_once();
    }
    if (!is_stopping_) co_await pause_client();
  }
}

void McpWatcher::stop() {
  is_stopping_ = true;
  if (stream_ != nullptr) stream_->close();
}

HttpRequest McpWatcher::request(const std::string& method) const {
  HttpRequest request = make_request(server_, method, "/mcp");
  request.headers.emplace_back("Accept", "application/json, text/event-stream");
  request.headers.emplace_back("MCP-Protocol-Version", kProtocolVersion);
  if (!client_session_.empty()) request.headers.emplace_back("Mcp-Session-Id", client_session_);
  return request;
}

asio::awaitable<bool> McpWatcher::initialize() {
  HttpRequest post = request("POST");
  post.headers.emplace_back("Content-Type", "application/json");
  post.body =
      json_text(json::object{{"jsonrpc", "2.0"},
                             {"id", ++requests_},
                             {"method", "initialize"},
                             {"params",
                              {{"protocolVersion", kProtocolVersion},
                               {"capabilities", json::object()},
                               {"clientInfo", {{"name", "oriel-verify"}, {"version", "1"}}}}}});
  auto fetching = fetch(std::move(post), kVerifyDeadlines);
  const auto response = co_await std::move(fetching);
  if (!response || response->status != 200) co_return false;
  client_session_ = response->header("mcp-session-id").value_or("");
  ++client_sessions_;
  json::object level{{"level", "debug"}};
  auto setting = call("logging/setLevel", std::move(level));
  const auto is_set = co_await std::move(setting);
  if (!is_set) forget_client_session();
  co_return is_set.has_value();
}

// None without a result; a client session that has gone is forgotten.
asio::awaitable<std::optional<json::object>> McpWatcher::call(std::string method,
                                                              json::object params) {
  HttpRequest post = request("POST");
  post.headers.emplace_back("Content-Type", "application/json");
  post.body = json_text(json::object{
      {"jsonrpc", "2.0"}, {"id", ++requests_}, {"method", method}, {"params", std::move(params)}});
  auto fetching = fetch(std::move(post), kVerifyDeadlines);
  const auto response = co_await std::move(fetching);
  if (!response) co_return std::nullopt;
  if (is_gone(*response)) forget_client_session();
  json::object result = object_of(member(parse_object(response->body), "result"));
  if (response->status != 200 || is_true(member(result, "isError"))) co_return std::nullopt;
  co_return std::optional(std::move(result));
}

asio::awaitable<void> McpWatcher::watch_new_sessions() {
  for (const std::string& session : sessions_()) {
    if (client_session_.empty() || watched_.contains(session)) continue;
    json::object params{{"name", "session_watch"}, {"arguments", {{"session_id", session}}}};
    auto watching = call("tools/call", std::move(params));
    const auto watched = co_await std::move(watching);
    if (!watched) continue;
    watched_.insert(session);
    push_of(session).after_index = number_of(member(*watched, "structuredContent", "last_index"));
  }
}

asio::awaitable<void> McpWatcher::listen_once() {
  if (client_session_.empty()) co_return;
  HttpRequest get = request("GET");
  if (!last_id_.empty()) get.headers.emplace_back("Last-Event-ID", last_id_);
  HttpStream stream;
  stream_ = &stream;
  auto opening = stream.open(std::move(get), kVerifyDeadlines);
  const auto head = co_await std::move(opening);
  if (head && is_gone(*head)) forget_client_session();
  bool is_open = head && head->status == 200;
  SseParser parser;
  const auto on_event = [this](const SseEvent& event) { take(event); };
  while (is_open && !is_stopping_) {
    auto reading = stream.read(kStreamSilence);
    const auto bytes = co_await std::move(reading);
    is_open = bytes && !bytes->empty();
    if (is_open) parser.feed(*bytes, on_event);
    if (!parser.last_id().empty()) last_id_ = parser.last_id();
  }
  stream_ = nullptr;
}

void McpWatcher::take(const SseEvent& event) {
  const json::object message = parse_object(event.data);
  const std::string session = text_at(message, "params", "data", "session_id");
  const bool is_push = text_of(member(message, "method")) == "notifications/message";
  if (is_push && !session.empty()) note_push(push_of(session).log, message);
}

// Of the current client session.
PushLog& McpWatcher::push_of(const std::string& session_id) {
  PushLog& push = current_[session_id];
  if (push.session_id.empty()) {
    push.session_id = session_id;
    push.log.watcher =
        fmt::format("{}, client session {}, {}", name_, client_sessions_, session_id);
  }
  return push;
}

void McpWatcher::forget_client_session() {
  for (auto& [session, push] : current_) {
    push.is_ended = true;
    ended_.push_back(std::move(push));
  }
  current_.clear();
  watched_.clear();
  client_session_.clear();
  last_id_.clear();
}

std::vector<PushLog> McpWatcher::logs() const {
  std::vector<PushLog> logs = ended_;
  for (const auto& [session, push] : current_)
    logs.push_back(push);
  return logs;
}

bool McpWatcher::lacks(const JournalEvent& newest) const {
  const auto found = current_.find(newest.session_id);
  if (found == current_.end()) return false;
  const PushLog& push = found->second;
  const bool is_expected =
      !push.log.deliveries.empty() || (push.after_index && newest.index > *push.after_index);
  return is_expected && push.log.last() < newest.sequence;
}

}  // namespace oriel
