#include "supervisor/sessions/event_outbox.h"

#include "runtime/deadline.h"
#include "runtime/shards.h"
#include "supervisor/full_engine_testing.h"
#include "supervisor/now.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;

// No handler of the outbox knows it.
struct Unforeseen {};

SessionStep step_of_one_event() {
  SessionStep step;
  step.events.push_back({.session_id = "ses_1",
                         .project_id = {},
                         .task_id = {},
                         .timestamp = now().wall,
                         .payload = event::Notice{.text = "hello"}});
  return step;
}

class EventOutboxTest : public testing::Test {
 protected:
  EventOutboxTest() {
    journal_.start();
    shards_.start();
    auto make_document = [this]() -> Document {
      if (fails_) throw Unforeseen();
      return {.key = "session/ses_1", .value = "{}"};
    };
    outbox_.emplace(shards_[0].executor(), journal_, failures_, "ses_1", std::move(make_document));
  }

  ~EventOutboxTest() override {
    on_shard([this] { outbox_.reset(); });
    journal_.stop();
    shards_.join();
  }

  template <class Work>
  void on_shard(Work work) {
    asio::post(shards_[0].executor(), asio::use_future(std::move(work))).get();
  }

  template <class T>
  std::future<T> begin(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future);
  }

  void put_one() {
    on_shard([this] {
      SessionStep step = step_of_one_event();
      outbox_->put(step);
    });
  }

  std::size_t stored_events() {
    SessionQuery query{.session_id = "ses_1"};
    return begin(journal_.read_session(std::move(query))).get().records.size();
  }

  // Ends the outbox's run with an exception.
  void fail() {
    fails_ = true;
    auto running = begin(outbox_->run());
    put_one();
    EXPECT_THROW(running.get(), Unforeseen);
  }

  std::atomic<bool> fails_{false};
  std::atomic<bool> is_full_{false};
  Shards shards_{1};
  Journal journal_{std::make_unique<FullEngine>(is_full_), {}};
  FailureLog failures_;
  std::optional<EventOutbox> outbox_;
};

TEST_F(EventOutboxTest, ReleasesThoseWhoWaitWhenItFails) {
  fail();
  EXPECT_NO_THROW(begin(outbox_->settled()).get());
}

TEST_F(EventOutboxTest, FailsCommandsOnceItHasFailed) {
  fail();
  const SteadyTime deadline = now().steady + std::chrono::hours(1);
  const auto stored = begin(outbox_->stored_by(deadline)).get();
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, ErrorKind::kStopping);
  EXPECT_THAT(stored.error().message, HasSubstr("its writer failed"));
  EXPECT_FALSE(begin(outbox_->writable_by(deadline)).get());
}

TEST_F(EventOutboxTest, StoresWhatWaitsWhenItRunsAgain) {
  fail();
  fails_ = false;
  auto running = begin(outbox_->run());
  while (stored_events() == 0)
    std::this_thread::yield();
  EXPECT_EQ(stored_events(), 1U);
  is_full_ = true;
  put_one();
  on_shard([this] { outbox_->close(); });
  running.get();
}

}  // namespace
}  // namespace oriel
