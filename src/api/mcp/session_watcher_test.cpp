#include "api/mcp/session_watcher.h"

#include "base/event/event_view_testing.h"
#include "base/mutex.h"
#include "base/text/json_text.h"
#include "journal/memory_engine.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kPatience = 20s;  // never waited for in full unless the test fails

// A journal in memory, a hub on one shard, and a watcher whose stream notes what it is given: the
// sequence of an event, or the text of a gap.
class Watching : public testing::Test {
 protected:
  Watching()
      : shards_(1),
        journal_(make_memory_engine({.max_events_per_session = 3}), {}),
        hub_(shards_, journal_, {}) {
    journal_.start();
    shards_.start();
    on_shard([this] { watcher_ = make_watcher({}); });
    connect(0);
  }

  ~Watching() override {
    on_shard([this] {
      reader_.reset();
      watcher_.reset();
    });
    asio::co_spawn(shards_[0].executor(), hub_.on(shards_[0]).joined(), asio::use_future).get();
    journal_.stop();
    shards_.join();
  }

  std::shared_ptr<SessionWatcher> make_watcher(const boost::json::object& before) {
    return std::make_shared<SessionWatcher>(
        hub_.on(shards_[0]), journal_, messages_, shards_[0].executor(),
        SessionWatcher::Client{.level = [this] { return level_; },
                               .changed = [] {},
                               .call_return = std::chrono::milliseconds(100)},
        before);
  }

  // The stream reads from there on.
  void connect(Sequence after) {
    on_shard([&] {
      reader_.reset();
      reader_ = watcher_->read_after(after, [this] { read(); });
      read();
    });
  }

  void disconnect() {
    on_shard([this] { reader_.reset(); });
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

  // Everything up to a last event has been delivered, which is left out.
  std::vector<std::string> all_delivered() {
    on_shard([this] { watcher_->watch("ses_last", 0); });
    publish("ses_last");
    const std::string last = std::to_string(journal_.head());
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    const MutexLock lock(mutex_);
    while (delivered_.empty() || delivered_.back() != last) {
      if (!changed_.wait_until(mutex_, deadline)) return {"the last event is missing"};
    }
    return {delivered_.begin(), delivered_.end() - 1};
  }

  std::vector<std::string> watched() {
    std::vector<std::string> ids;
    on_shard([&] { ids = watcher_->watched(); });
    return ids;
  }

  std::shared_ptr<SessionWatcher> watcher_;
  std::optional<mcp::LogLevel> level_ = mcp::LogLevel::kDebug;

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

  void read() {
    std::vector<mcp::SourceEvent> events;
    reader_->take(events, 100, 1 << 20);
    const MutexLock lock(mutex_);
    for (const mcp::SourceEvent& event : events) {
      delivered_.push_back(event.position > 0 ? std::to_string(event.position)
                                              : std::string(event.message->rest));
    }
    changed_.notify_all();
  }

 protected:
  Shards shards_;
  Journal journal_;
  Hub hub_;

 private:
  EventMessageCache messages_;
  std::unique_ptr<mcp::SourceReader> reader_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<std::string> delivered_ GUARDED_BY(mutex_);
};

using R_LIVE_8 = Watching;
using R_DURABLE_1 = Watching;

TEST_F(R_LIVE_8, OnlyWatchedSessionsAreDeliveredFromTheBeginningOfTheWatchOn) {
  publish("ses_a");
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_b");
  publish("ses_a");
  EXPECT_THAT(wait_for(1), ElementsAre("3"));
}

TEST_F(R_LIVE_8, WhatHappensWithoutAConnectionIsReadWhenThereIsOne) {
  disconnect();
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_a");
  publish("ses_a");
  connect(0);
  EXPECT_THAT(wait_for(2), ElementsAre("1", "2"));
}

TEST_F(R_LIVE_8, AWatchThatBeginsDuringAConnectionMissesAndRepeatsNothing) {
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_a");
  publish("ses_b");
  on_shard([this] { watcher_->watch("ses_b", 0); });
  publish("ses_a");
  publish("ses_b");
  EXPECT_THAT(wait_for(3), ElementsAre("1", "3", "4"));
}

TEST_F(R_LIVE_8, EventsThatAreGoneAreDeliveredAsAGap) {
  disconnect();
  on_shard([this] { watcher_->watch("ses_a", 0); });
  for (int i = 0; i < 5; ++i)
    publish("ses_a");
  connect(0);
  const std::vector<std::string> delivered = wait_for(4);
  ASSERT_EQ(delivered.size(), 4U);
  EXPECT_THAT(delivered[0], HasSubstr(R"("session_id":"ses_a")"));
  EXPECT_THAT(delivered[0], HasSubstr(R"("missed":2)"));
  EXPECT_EQ(delivered[1], "3");
}

TEST_F(R_LIVE_8, WatchingTwiceDeliversOnce) {
  on_shard([this] {
    EXPECT_TRUE(watcher_->watch("ses_a", 0));
    EXPECT_FALSE(watcher_->watch("ses_a", 0));
  });
  publish("ses_a");
  publish("ses_a");
  EXPECT_THAT(all_delivered(), ElementsAre("1", "2"));
}

TEST_F(R_LIVE_8, AnEndedSessionIsNoLongerWatchedAndItsEventsCanBeReadAgain) {
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_a");
  publish("ses_a", "session_ended");
  EXPECT_THAT(wait_for(2), ElementsAre("1", "2"));
  EXPECT_THAT(watched(), IsEmpty());
  on_shard([this] { EXPECT_FALSE(watcher_->unwatch("ses_a")); });
  connect(0);
  EXPECT_THAT(wait_for(4), ElementsAre("1", "2", "1", "2"));
}

TEST_F(R_LIVE_8, NothingComesFromBeforeTheClientSetALevel) {
  on_shard([this] {
    level_.reset();
    watcher_->watch("ses_a", 0);
  });
  disconnect();
  publish("ses_a");
  on_shard([this] {
    watcher_->level_set();
    level_ = mcp::LogLevel::kDebug;
  });
  connect(0);
  publish("ses_a");
  EXPECT_THAT(all_delivered(), ElementsAre("2"));
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
  EXPECT_THAT(all_delivered(), ElementsAre("3"));
  connect(0);
  EXPECT_THAT(wait_for(4).at(2), "3") << "what the call has sent does not come again, either";
}

TEST_F(Watching, OtherSessionsWaitOnlyUntilTheCallHasCaughtUp) {
  std::unique_ptr<TaskClaim> claim;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    watcher_->watch("ses_b", 0);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
  });
  publish("ses_a");
  publish("ses_b");
  on_shard([&] { claim->reach(1); });
  EXPECT_THAT(wait_for(1), ElementsAre("2"));
  on_shard([&] { claim.reset(); });
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
  EXPECT_THAT(all_delivered(), ElementsAre("2"));
}

TEST_F(R_DURABLE_1, ARestoredWatcherContinuesWhereItsClientStopped) {
  on_shard([this] { watcher_->watch("ses_a", 0); });
  publish("ses_a");
  disconnect();
  on_shard([this] { watcher_ = make_watcher(watcher_->state()); });
  publish("ses_a");
  connect(1);
  EXPECT_THAT(all_delivered(), ElementsAre("1", "2"));
}

TEST_F(R_DURABLE_1, ACallThatIsContinuedAfterARestartKeepsItsEvents) {
  std::unique_ptr<TaskClaim> claim;
  boost::json::object state;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    state = watcher_->state();
  });
  publish("ses_a");
  disconnect();
  on_shard([&] {
    claim.reset();
    watcher_ = make_watcher(state);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    EXPECT_EQ(claim->reached(), 0U) << "the call sends the event";
    claim->reach(1);
    claim.reset();
  });
  connect(0);
  EXPECT_THAT(all_delivered(), IsEmpty());
}

TEST_F(R_DURABLE_1, AStreamThatComesBackBeforeACallLeavesTheCallItsEvents) {
  std::unique_ptr<TaskClaim> claim;
  boost::json::object state;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    state = watcher_->state();
  });
  publish("ses_a");
  disconnect();
  on_shard([&] {
    claim.reset();
    watcher_ = make_watcher(state);
  });
  connect(0);
  on_shard([&] {
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    claim->reach(1);
    claim.reset();
  });
  EXPECT_THAT(all_delivered(), IsEmpty());
}

TEST_F(R_DURABLE_1, IfTheCallDoesNotComeBackTheStreamDeliversItsEvents) {
  std::unique_ptr<TaskClaim> claim;
  boost::json::object state;
  publish("ses_b");
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    state = watcher_->state();
  });
  publish("ses_a");
  disconnect();
  on_shard([&] {
    claim.reset();
    watcher_ = make_watcher(state);
  });
  connect(1);
  EXPECT_THAT(all_delivered(), ElementsAre("2"));
  on_shard([&] {
    claim = std::make_unique<TaskClaim>(watcher_, "ses_a");
    EXPECT_GE(claim->reached(), 2U) << "the stream has delivered the event";
    claim.reset();
  });
}

TEST_F(R_DURABLE_1, InAnotherEpochARestoredWatcherGoesOnWithWhatHappensNext) {
  boost::json::object state;
  on_shard([&] {
    watcher_->watch("ses_a", 0);
    watcher_->watch("ses_b", 0);
    watcher_->unwatch("ses_b");
    state = watcher_->state();
    state["epoch"] = "another";
  });
  disconnect();
  publish("ses_a");
  on_shard([&] {
    watcher_ = make_watcher(state);
    EXPECT_THAT(watcher_->watched(), ElementsAre("ses_a"));
    EXPECT_TRUE(watcher_->is_renumbered());
  });
  connect(0);
  publish("ses_a");
  EXPECT_THAT(all_delivered(), ElementsAre("2"));
}

TEST_F(Watching, ANewWatcherIsNotRenumbered) {
  on_shard([this] { EXPECT_FALSE(watcher_->is_renumbered()); });
}

}  // namespace
}  // namespace oriel
