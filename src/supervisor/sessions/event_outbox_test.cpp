#include "supervisor/sessions/event_outbox.h"

#include "base/eventually_testing.h"
#include "runtime/deadline.h"
#include "runtime/shards.h"
#include "supervisor/full_engine_testing.h"
#include "supervisor/now.h"
#include "supervisor/sessions/text_bytes.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace oriel {
namespace {

using testing::HasSubstr;

// No handler of the outbox knows it.
struct Unforeseen {};

SessionStep step_of_one_event(std::string text = "hello") {
  SessionStep step;
  step.events.push_back({.session_id = "ses_1",
                         .project_id = {},
                         .task_id = {},
                         .timestamp = now().wall,
                         .payload = event::Notice{.text = std::move(text)}});
  return step;
}

class EventOutboxTest : public testing::Test {
 protected:
  EventOutboxTest() {
    journal_.start();
    shards_.start();
    make_outbox({});
  }

  void make_outbox(OwnerGuard guard) {
    auto make_document = [this]() -> StateDocument {
      if (fails_) throw Unforeseen();
      return {.document = {.key = "session/ses_1", .value = "{}"}};
    };
    outbox_.emplace(shards_[0].executor(), journal_, failures_, thread_, "ses_1",
                    std::move(make_document), std::move(guard), [this] { is_overtaken_ = true; });
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

  std::unique_ptr<JournalEngine> make_engine() {
    auto engine = std::make_unique<FullEngine>(is_full_);
    engine_ = engine.get();
    return engine;
  }

  void put_one(std::string text = "hello") {
    on_shard([this, text = std::move(text)] {
      SessionStep step = step_of_one_event(text);
      outbox_->put(step, nullptr);
    });
  }

  std::size_t stored_events() {
    // A page has all of them, long ones, too.
    SessionQuery query{.session_id = "ses_1", .max_bytes = 64 << 20};
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
  std::atomic<bool> is_overtaken_{false};
  Shards shards_{1};
  FullEngine* engine_ = nullptr;
  Journal journal_{make_engine(), {}};
  FailureLog failures_;
  LazyThread thread_;
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
  EXPECT_TRUE(eventually([this] { return stored_events() > 0; }));
  EXPECT_EQ(stored_events(), 1U);
  is_full_ = true;
  put_one();
  on_shard([this] { outbox_->close(); });
  running.get();
}

TEST_F(EventOutboxTest, ARetryAppendsTheSameRecords) {
  is_full_ = true;
  auto running = begin(outbox_->run());
  put_one();
  EXPECT_TRUE(eventually([this] { return journal_.counts().failures >= 2; }));
  is_full_ = false;
  EXPECT_TRUE(eventually([this] { return stored_events() > 0; }));
  is_full_ = true;
  put_one();
  on_shard([this] { outbox_->close(); });
  running.get();
  journal_.stop();
  ASSERT_GE(engine_->attempts.size(), 4U);
  EXPECT_EQ(engine_->attempts[0], engine_->attempts[1]);
  EXPECT_EQ(engine_->attempts[1], engine_->attempts[2]);
  EXPECT_NE(engine_->attempts[2], engine_->attempts[3]);
}

// The thread is busy, so a shard that did the work itself would have stored the event.
TEST_F(EventOutboxTest, ALongTextIsSerializedWhileTheShardGoesOn) {
  std::promise<void> is_over;
  auto blocked = begin(thread_.run([over = is_over.get_future().share()] { over.wait(); }));
  auto running = begin(outbox_->run());
  put_one(std::string(2 * kLongWork, '\n'));
  constexpr int kTicks = 1000;
  for (int i = 0; i < kTicks; ++i)
    on_shard([] {});
  EXPECT_EQ(stored_events(), 0U);
  put_one();
  is_over.set_value();
  blocked.get();
  EXPECT_TRUE(eventually([this] { return stored_events() >= 2; }, std::chrono::minutes(1)));
  is_full_ = true;
  put_one();
  on_shard([this] { outbox_->close(); });
  running.get();
}

using R_CLUSTER_4_Outbox = EventOutboxTest;

TEST_F(R_CLUSTER_4_Outbox, StoresNothingOnceAnotherNodeOwnsTheSession) {
  const auto own = [this](const std::string& owner) {
    std::vector<Document> documents = {{.key = owner_document_key("ses_1"), .value = owner}};
    EXPECT_TRUE(begin(journal_.append({}, std::move(documents))).get());
  };
  on_shard([this] { make_outbox(OwnerGuard("ses_1", "a.1")); });
  own("a.1");
  auto running = begin(outbox_->run());
  put_one();
  begin(outbox_->settled()).get();
  EXPECT_EQ(stored_events(), 1U);
  own("b.1");
  put_one("too late");
  const SteadyTime deadline = now().steady + std::chrono::hours(1);
  const auto stored = begin(outbox_->stored_by(deadline)).get();
  running.get();
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, ErrorKind::kOvertaken);
  EXPECT_THAT(stored.error().hint, HasSubstr("retry"));
  EXPECT_EQ(stored_events(), 1U);
  EXPECT_TRUE(is_overtaken_);
}

}  // namespace
}  // namespace oriel
