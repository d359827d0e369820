#include "api/mcp/session_watcher.h"

#include "base/event/event_view_testing.h"
#include "base/mutex.h"
#include "journal/memory_engine.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kPatience = 20s;  // never waited for in full unless the test fails

// A journal in memory, a hub on one shard, and a watcher whose deliveries are remembered by text.
class Watching : public testing::Test {
 protected:
  Watching()
      : shards_(1),
        journal_(make_memory_engine({.max_events_per_session = 3}), {}),
        hub_(shards_, journal_, {}) {
    journal_.start();
    shards_.start();
    watcher_ = std::make_shared<SessionWatcher>(
        hub_.on(shards_[0]), shards_[0].executor(),
        [this](const std::string& session_id, const FramePtr& frame) {
          const MutexLock lock(mutex_);
          delivered_.push_back(frame->record ? std::to_string(frame->record->sequence)
                                             : std::to_string(frame->gap.missed) + " missing in " +
                                                   session_id);
          changed_.notify_all();
        });
  }

  ~Watching() override {
    on_shard([this] { watcher_.reset(); });
    asio::co_spawn(shards_[0].executor(), hub_.on(shards_[0]).joined(), asio::use_future).get();
    journal_.stop();
    shards_.join();
  }

  void on_shard(std::function<void()> work) {
    asio::co_spawn(shards_[0].executor(), run(std::move(work)), asio::use_future).get();
  }

  // Each gets the next sequence.
  void publish(const std::string& session, const std::string& type = "message") {
    auto storing = append(custom_event(type, session));
    asio::co_spawn(shards_[0].executor(), std::move(storing), asio::use_future).get();
  }

  std::vector<std::string> wait_for(std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    const MutexLock lock(mutex_);
    while (delivered_.size() < count && changed_.wait_until(mutex_, deadline)) {
    }
    return delivered_;
  }

  std::vector<std::string> watched() {
    std::vector<std::string> ids;
    on_shard([&] { ids = watcher_->watched(); });
    return ids;
  }

  std::shared_ptr<SessionWatcher> watcher_;

 private:
  static asio::awaitable<void> run(std::function<void()> work) {
    work();
    co_return;
  }

  asio::awaitable<void> append(SessionEvent event) {
    std::vector<SessionEvent> events{std::move(event)};
    const auto placed = co_await journal_.append(std::move(events));
    EXPECT_TRUE(placed.has_value());
  }

  Shards shards_;
  Journal journal_;
  Hub hub_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<std::string> delivered_ GUARDED_BY(mutex_);
};

using R_LIVE_8 = Watching;

TEST_F(R_LIVE_8, OnlyWatchedSessionsAreDeliveredFromTheGivenSequenceOn) {
  publish("ses_a");
  publish("ses_a");
  on_shard([this] { watcher_->watch("ses_a", 1); });
  publish("ses_b");
  publish("ses_a");
  EXPECT_THAT(wait_for(2), ElementsAre("2", "4"));
}

TEST_F(R_LIVE_8, EventsThatAreGoneAreDeliveredAsAGap) {
  for (int i = 0; i < 5; ++i)
    publish("ses_a");
  on_shard([this] { watcher_->watch("ses_a", 0); });
  EXPECT_THAT(wait_for(4), ElementsAre("2 missing in ses_a", "3", "4", "5"));
}

TEST_F(R_LIVE_8, WatchingTwiceDeliversOnce) {
  on_shard([this] {
    EXPECT_TRUE(watcher_->watch("ses_a", 0));
    EXPECT_FALSE(watcher_->watch("ses_a", 0));
  });
  publish("ses_a");
  publish("ses_a");
  EXPECT_THAT(wait_for(2), ElementsAre("1", "2"));
}

TEST_F(R_LIVE_8, AnEndedSessionIsNoLongerWatched) {
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_a", "session_ended");
  EXPECT_THAT(wait_for(1), ElementsAre("1"));
  EXPECT_THAT(watched(), IsEmpty());
  on_shard([this] { EXPECT_FALSE(watcher_->unwatch("ses_a")); });
}

TEST_F(Watching, ACallThatFollowsASessionGetsItsEvents) {
  std::unique_ptr<TaskClaim> claim;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
  });
  publish("ses_a");
  publish("ses_a");
  publish("ses_a");
  on_shard([&] {
    claim->reach(2);
    claim.reset();
  });
  EXPECT_THAT(wait_for(1), ElementsAre("3"));
}

TEST_F(Watching, CallsFollowOneAfterAnother) {
  std::unique_ptr<TaskClaim> first;
  std::unique_ptr<TaskClaim> second;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    first = std::make_unique<TaskClaim>(watcher_, "ses_a");
    second = std::make_unique<TaskClaim>(watcher_, "ses_a");
    first->reach(7);
    EXPECT_EQ(second->reached(), 0U);
    first.reset();
    EXPECT_EQ(second->reached(), 7U);
    second.reset();
  });
  EXPECT_THAT(watched(), ElementsAre("ses_a"));
}

TEST_F(Watching, UnwatchDuringACallEndsDelivery) {
  on_shard([this] {
    watcher_->watch("ses_a", 0);
    watcher_->watch("ses_b", 0);
    TaskClaim claim(watcher_, "ses_a");
    EXPECT_TRUE(watcher_->unwatch("ses_a"));
  });
  publish("ses_a");
  publish("ses_b");
  EXPECT_THAT(wait_for(1), ElementsAre("2"));
}

}  // namespace
}  // namespace oriel
