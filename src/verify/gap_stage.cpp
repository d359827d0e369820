#include "verify/gap_stage.h"

#include "runtime/task_group.h"
#include "verify/event_publisher.h"
#include "verify/feed_reader.h"
#include "verify/verdicts.h"

#include <spdlog/fmt/fmt.h>

#include <memory>
#include <utility>
#include <vector>

namespace oriel {
namespace {

constexpr int kRounds = 3;
constexpr int kEventsBefore = 20;  // while the watcher is connected
constexpr int kEventsAway = 150;   // more than the store holds
constexpr std::size_t kPadding = 4000;
constexpr std::chrono::seconds kPatience{20};

class GapStage {
 public:
  explicit GapStage(ServerAccess server)
      : server_(std::move(server)), publisher_(server_, 0, 0, ledger_) {}

  asio::awaitable<Verdict> prove() {
    for (int round = 0; round < kRounds; ++round) {
      co_await watch_while(kEventsBefore);
      for (int i = 0; i < kEventsAway; ++i) {
        auto publishing = publisher_.publish(kPadding);
        co_await std::move(publishing);
      }
    }
    co_await watch_while(1);
    std::vector<Sequence> published;
    for (const AcknowledgedEvent& event : ledger_.events)
      published.push_back(event.sequence);
    co_return judge_gaps({log_}, published);
  }

 private:
  // Resumes the watcher, publishes, and waits until it has the last event.
  asio::awaitable<void> watch_while(int events) {
    const auto on_event = [this](const SseEvent& event) {
      if (!event.id.empty()) cursor_ = event.id;
      note_event(log_, event);
    };
    FeedReader reader(server_, cursor_, on_event);
    TaskGroup tasks(co_await asio::this_coro::executor);
    tasks.spawn("watcher", reader.run());
    for (int i = 0; i < events; ++i) {
      auto publishing = publisher_.publish(kPadding);
      co_await std::move(publishing);
    }
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!has_last() && std::chrono::steady_clock::now() < until)
      co_await pause_client();
    reader.stop();
    co_await tasks.joined();
  }

  bool has_last() const {
    return ledger_.events.empty() || log_.last() >= ledger_.events.back().sequence;
  }

  ServerAccess server_;
  Ledger ledger_;
  EventPublisher publisher_;
  WatchLog log_{.watcher = "watcher", .deliveries = {}, .gaps = {}};
  std::string cursor_ = "0";
};

}  // namespace

asio::awaitable<Verdict> prove_gaps(ServerAccess server) {
  GapStage stage(std::move(server));
  auto proving = stage.prove();
  co_return co_await std::move(proving);
}

}  // namespace oriel
