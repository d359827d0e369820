#include "api/session_reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

// Wakes a waiting reader when the session commits an event.
class CommitSignal {
 public:
  CommitSignal(ShardHub& hub, const SessionQuery& query, const asio::any_io_executor& shard)
      : hub_(hub), timer_(shard) {
    SubscribeOptions options;
    options.filter.sessions = {query.session_id};
    options.filter.types = query.types;
    options.after = hub.head();
    subscription_ = hub.subscribe(std::move(options), [this] {
      is_ready_ = true;
      timer_.cancel();
    });
  }

  ~CommitSignal() { hub_.unsubscribe(*subscription_); }

  CommitSignal(const CommitSignal&) = delete;
  CommitSignal& operator=(const CommitSignal&) = delete;

  asio::awaitable<void> wait(std::chrono::milliseconds limit) {
    if (is_ready_) co_return;
    timer_.expires_after(limit);
    co_await timer_.async_wait(kNoThrow);
  }

  bool is_ready() const { return is_ready_; }

 private:
  ShardHub& hub_;
  asio::steady_timer timer_;
  std::shared_ptr<Subscription> subscription_;
  bool is_ready_ = false;
};

Error access_lost() {
  return {.kind = ErrorKind::kUnauthorized,
          .message = "the credential of this request was revoked or has expired",
          .hint = "send a valid one"};
}

}  // namespace

Error purged_error(std::int64_t oldest) {
  return {.kind = ErrorKind::kEventsPurged,
          .message =
              fmt::format("events before index {} were purged (oldest held: {})", oldest, oldest),
          .hint = fmt::format("repeat the request with since_index={} for all held events",
                              oldest - 1)};
}

asio::awaitable<Result<EventsAnswer>> SessionReader::read(Principal principal, EventsQuery wanted,
                                                          Shard& shard) {
  const std::string id = wanted.query.session_id;
  const std::int64_t since = wanted.query.after_index;
  auto session = co_await sessions_.find(principal, id);
  if (!session) co_return session.error();
  EventsAnswer answer;
  auto page = co_await read_page(principal, std::move(wanted), shard);
  if (!page) co_return page.error();
  answer.page = *std::move(page);
  // -1 requests all held events, whether or not older ones were purged.
  answer.is_purged = since >= 0 && since + 1 < answer.page.oldest_index;
  session = co_await sessions_.find(principal, id);
  if (!session) co_return session.error();
  answer.status = (*session)->status;
  co_return answer;
}

// Subscribes before it reads, so that no event between the two is missed.
asio::awaitable<Result<SessionPage>> SessionReader::read_page(Principal principal,
                                                              EventsQuery wanted, Shard& shard) {
  const auto deadline = std::chrono::steady_clock::now() + wanted.wait;
  while (true) {
    CommitSignal signal(hub_.on(shard), wanted.query, shard.executor());
    SessionPage page = co_await journal_.read_session(wanted.query);
    if (!access_.is_valid(principal)) co_return access_lost();
    const bool is_behind = page.scanned_until < page.last_index;
    if (!page.records.empty() || is_behind) co_return page;
    while (!signal.is_ready()) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0 || are_waits_over_) co_return page;
      co_await signal.wait(std::min(left, access_.every));
      if (!access_.is_valid(principal)) co_return access_lost();
    }
  }
}

}  // namespace oriel
