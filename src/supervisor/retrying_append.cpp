#include "supervisor/retrying_append.h"

#include "base/log.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kRetryAfter{200};

}  // namespace

asio::awaitable<void> append_until_stored(Journal& journal, JournalBatch batch, std::string owner,
                                          std::function<bool()> gives_up) {
  const auto shard = co_await asio::this_coro::executor;
  while (true) {
    std::vector<SessionEvent> events = batch.events;
    std::vector<Document> documents = batch.documents;
    const auto appended = co_await journal.append(std::move(events), std::move(documents));
    if (appended) co_return;
    log()->error("{}: cannot store {} events and {} documents: {}", owner, batch.events.size(),
                 batch.documents.size(), appended.error().message);
    if (gives_up()) co_return;
    asio::steady_timer timer(shard, kRetryAfter);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace oriel
