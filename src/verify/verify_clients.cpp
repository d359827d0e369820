#include "verify/verify_clients.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kPublishers = 4;
constexpr int kWatchers = 6;
constexpr int kMcpWatchers = 2;

}  // namespace

VerifyClients::VerifyClients(asio::any_io_executor shard, ClientsOptions options)
    : options_(std::move(options)), workers_(shard), watching_(shard) {
  for (unsigned i = 1; i <= kPublishers; ++i) {
    ServerAccess access = options_.proxied;
    if (i == 1 && !options_.publisher_token.empty()) access.token = options_.publisher_token;
    publishers_.emplace_back(std::move(access), i, options_.seed + i, ledger_);
  }
  for (int i = 1; i <= kWatchers; ++i) {
    WatchLog& log = watch_logs_.emplace_back(
        WatchLog{.watcher = fmt::format("watcher {}", i), .deliveries = {}, .gaps = {}});
    readers_.emplace_back(options_.proxied, options_.start,
                          [&log](const SseEvent& event) { note_event(log, event); });
  }
  if (!has_sessions()) return;
  for (int i = 1; i <= options_.sessions; ++i) {
    sessions_.emplace_back(options_.proxied, fmt::format("{}-{}", options_.name, i),
                           options_.has_long_tasks, ledger_);
  }
  for (int i = 1; i <= kMcpWatchers; ++i) {
    mcp_watchers_.emplace_back(options_.proxied, fmt::format("MCP watcher {}", i),
                               [this] { return session_ids(); });
  }
}

void VerifyClients::start() {
  for (EventPublisher& publisher : publishers_)
    workers_.spawn("publisher", publisher.run());
  for (SessionDriver& session : sessions_)
    workers_.spawn("session", session.run());
  for (FeedReader& reader : readers_)
    watching_.spawn("watcher", reader.run());
  for (McpWatcher& watcher : mcp_watchers_)
    watching_.spawn("MCP watcher", watcher.run());
}

asio::awaitable<void> VerifyClients::quiet() {
  for (EventPublisher& publisher : publishers_)
    publisher.stop();
  for (SessionDriver& session : sessions_)
    session.stop();
  co_await workers_.joined();
}

asio::awaitable<void> VerifyClients::caught_up(Sequence sequence, std::chrono::milliseconds limit) {
  const auto until = Clock::now() + limit;
  const auto is_behind = [sequence](const WatchLog& log) { return log.last() < sequence; };
  while (Clock::now() < until && std::any_of(watch_logs_.begin(), watch_logs_.end(), is_behind))
    co_await pause_client();
}

asio::awaitable<void> VerifyClients::finish_sessions(const std::vector<JournalEvent>& journal,
                                                     std::chrono::milliseconds limit) {
  for (SessionDriver& session : sessions_)
    workers_.spawn("end of a session", session.finish());
  co_await workers_.joined();
  const auto until = Clock::now() + limit;
  while (Clock::now() < until && !has_all_pushes(journal))
    co_await pause_client();
}

bool VerifyClients::has_all_pushes(const std::vector<JournalEvent>& journal) const {
  std::map<std::string, const JournalEvent*> newest;
  for (const JournalEvent& event : journal)
    if (!event.session_id.empty()) newest[event.session_id] = &event;
  for (const McpWatcher& watcher : mcp_watchers_) {
    for (const auto& [session, event] : newest)
      if (watcher.lacks(*event)) return false;
  }
  return true;
}

asio::awaitable<void> VerifyClients::end() {
  for (FeedReader& reader : readers_)
    reader.stop();
  for (McpWatcher& watcher : mcp_watchers_)
    watcher.stop();
  co_await watching_.joined();
}

std::vector<std::string> VerifyClients::session_ids() const {
  std::vector<std::string> ids;
  for (const SessionDriver& session : sessions_) {
    const std::string& id = session.polled().session_id;
    if (!id.empty()) ids.push_back(id);
  }
  return ids;
}

std::vector<WatchLog> VerifyClients::watch_logs(Sequence until) const {
  std::vector<WatchLog> logs(watch_logs_.begin(), watch_logs_.end());
  for (WatchLog& log : logs)
    keep_until(log, until);
  return logs;
}

std::vector<PushLog> VerifyClients::push_logs(Sequence until) const {
  std::vector<PushLog> logs;
  for (const McpWatcher& watcher : mcp_watchers_) {
    for (PushLog& push : watcher.logs()) {
      keep_until(push.log, until);
      logs.push_back(std::move(push));
    }
  }
  return logs;
}

std::vector<PolledSession> VerifyClients::polled() const {
  std::vector<PolledSession> polled;
  for (const SessionDriver& session : sessions_) {
    if (!session.polled().session_id.empty()) polled.push_back(session.polled());
  }
  return polled;
}

}  // namespace oriel
