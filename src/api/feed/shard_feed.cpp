#include "api/feed/shard_feed.h"

#include "api/feed/sse_format.h"
#include "base/id.h"
#include "base/log.h"
#include "runtime/keep_running.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kSlowestTick{1000};
constexpr std::chrono::milliseconds kFastestTick{10};

// Decides where a new client's stream starts.
Hello start_of(const std::optional<Cursor>& cursor, const Journal& journal) {
  Hello hello{.client_id = random_id(),
              .epoch = journal.epoch(),
              .start = journal.head(),
              .head = journal.head(),
              .oldest = journal.oldest(),
              .missed = 0};
  if (!cursor) return hello;
  hello.is_resumed = cursor->epoch == hello.epoch && cursor->sequence <= hello.head;
  if (hello.is_resumed) {
    hello.start = cursor->sequence;
    hello.missed = journal.missed_after(hello.start);
    return hello;
  }
  hello.start = hello.oldest - 1;
  // An empty epoch requests all held events: nothing is missed. For a cursor of another epoch the
  // number is unknown.
  if (!cursor->epoch.empty()) hello.missed = std::nullopt;
  return hello;
}

}  // namespace

ShardFeed::ShardFeed(asio::any_io_executor shard, Journal& journal, ShardHub& hub,
                     const TokenStore& tokens, const FeedOptions& options)
    : shard_(shard),
      journal_(journal),
      hub_(hub),
      tokens_(tokens),
      options_(options),
      emptied_(shard, asio::steady_timer::time_point::max()),
      tasks_(shard) {}

void ShardFeed::start() {
  tasks_.spawn("heartbeats", keep_running("heartbeats", [this] { return tick(); }));
}

void ShardFeed::open(NewClient client, std::unique_ptr<http::Transport> connection,
                     std::string head) {
  Hello hello = start_of(client.cursor, journal_);
  hello.retry = options_.retry;
  std::string first_bytes = std::move(head) + hello_frame(hello);
  // The hub announces events that retention removed, but does not see cursors of another epoch.
  if (!hello.missed) {
    first_bytes += gap_frame(hello.oldest, hello.head, std::nullopt);
    counters_.gaps.add(1);
  }

  auto on_end = [this](SseClient& ended) { remove(ended); };
  auto opened = std::make_unique<SseClient>(hello.client_id, std::move(client.principal),
                                            std::move(client.address), hub_, journal_.epoch(),
                                            counters_, on_end);
  SseClient& opened_client = *opened;
  clients_.emplace(opened_client.id(), Entry{std::move(opened), std::move(client.slot)});
  counters_.opened.add(1);
  SubscribeOptions subscribe{.filter = std::move(client.filter),
                             .after = hello.start,
                             .max_queued_bytes = options_.max_queued_bytes};
  opened_client.start(std::move(connection), std::move(first_bytes), std::move(subscribe));
  if (end_) opened_client.finish(bye_frame(end_->reason, end_->retry));
}

// Called from the client's own stream, so destruction is posted.
void ShardFeed::remove(SseClient& client) {
  log()->debug("client {} at {} disconnected", client.id(), client.address());
  const auto found = clients_.find(client.id());
  auto destroy = [gone = std::move(found->second.client)] {};
  clients_.erase(found);
  asio::post(shard_, std::move(destroy));
  if (clients_.empty()) emptied_.cancel();
}

// `action` may end clients.
template <class Action>
void ShardFeed::for_each(Action action) {
  std::vector<SseClient*> all;
  all.reserve(clients_.size());
  for (auto& [id, entry] : clients_)
    all.push_back(entry.client.get());
  for (SseClient* client : all)
    action(*client);
}

asio::awaitable<void> ShardFeed::tick() {
  const auto every = std::clamp(std::min(options_.heartbeat, options_.stall_timeout) / 10,
                                kFastestTick, kSlowestTick);
  asio::steady_timer timer(shard_);
  while (true) {
    timer.expires_after(every);
    co_await timer.async_wait(asio::use_awaitable);
    tick_clients();
  }
}

void ShardFeed::tick_clients() {
  const auto now = http::EventStream::Clock::now();
  const WallTime wall = wall_now();
  for_each([&](SseClient& client) {
    if (!tokens_.is_valid(client.principal(), wall)) {
      client.finish(bye_frame("token_revoked", options_.retry));
    }
    client.tick(now, options_.heartbeat, options_.stall_timeout);
  });
}

std::vector<SseClientInfo> ShardFeed::clients() const {
  std::vector<SseClientInfo> all;
  all.reserve(clients_.size());
  for (const auto& [id, entry] : clients_)
    all.push_back(entry.client->info());
  return all;
}

asio::awaitable<void> ShardFeed::stop(std::chrono::milliseconds grace, FeedEnd end) {
  end_ = end;
  for_each([&](SseClient& client) { client.finish(bye_frame(end.reason, end.retry)); });
  if (!clients_.empty()) {
    emptied_.expires_after(grace);
    co_await emptied_.async_wait(kNoThrow);
  }
  for_each([](SseClient& client) { client.drop(); });
  tasks_.cancel();
  co_await tasks_.joined();
  co_await hub_.joined();
}

}  // namespace oriel
