#include "verify/client_verdicts.h"

#include "runtime/task_group.h"
#include "verify/event_publisher.h"
#include "verify/feed_reader.h"

#include <chrono>
#include <optional>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kCatchUpTime{60'000};
constexpr milliseconds kPushTime{30'000};  // for MCP to push what the journal has
constexpr unsigned kMarkerPublisher = 0;

// An event after all others.
asio::awaitable<Sequence> publish_marker(ServerAccess direct) {
  Ledger ledger;
  EventPublisher publisher(std::move(direct), kMarkerPublisher, 0, ledger);
  std::optional<Sequence> sequence;
  const auto until = Clock::now() + kCatchUpTime;
  while (!sequence && Clock::now() < until) {
    auto publishing = publisher.publish(0);
    sequence = co_await std::move(publishing);
    if (!sequence) co_await pause_client();
  }
  co_return sequence.value_or(kMaxSequence);
}

}  // namespace

asio::awaitable<ClientVerdicts> judge_clients(VerifyClients& clients, ServerAccess direct,
                                              std::string start) {
  co_await clients.quiet();
  auto marking = publish_marker(direct);
  const Sequence marker = co_await std::move(marking);
  co_await clients.caught_up(marker, kCatchUpTime);
  auto reading = read_journal(direct, std::move(start), marker);
  const std::vector<JournalEvent> journal = co_await std::move(reading);
  co_await clients.finish_sessions(journal, kPushTime);
  co_await clients.end();
  ClientVerdicts judged{.verdicts = {}, .last = marker};
  judged.verdicts.push_back(judge_loss(clients.ledger(), journal));
  judged.verdicts.push_back(
      judge_delivery(clients.watch_logs(marker), clients.push_logs(marker), journal));
  if (!clients.has_sessions()) co_return judged;
  judged.verdicts.push_back(judge_indexes(clients.polled(), journal));
  judged.verdicts.push_back(judge_tasks(clients.ledger(), clients.polled()));
  co_return judged;
}

asio::awaitable<std::vector<JournalEvent>> read_journal(ServerAccess direct, std::string start,
                                                        Sequence until) {
  std::vector<JournalEvent> journal;
  const auto on_event = [&journal, until](const SseEvent& event) {
    auto stored = read_journal_event(event);
    if (stored && stored->sequence <= until) journal.push_back(std::move(*stored));
  };
  FeedReader reader(std::move(direct), std::move(start), on_event);
  TaskGroup tasks(co_await asio::this_coro::executor);
  tasks.spawn("journal", reader.run());
  const auto deadline = Clock::now() + kCatchUpTime;
  while (Clock::now() < deadline && (journal.empty() || journal.back().sequence < until))
    co_await pause_client();
  reader.stop();
  co_await tasks.joined();
  co_return journal;
}

}  // namespace oriel
