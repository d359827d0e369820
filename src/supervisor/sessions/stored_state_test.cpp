// What clients see of a session is what the journal has stored: not less than the events that they
// have, and not more than those that they can read.

#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "journal/memory_backed_engine_testing.h"
#include "runtime/deadline.h"
#include "supervisor/full_engine_testing.h"
#include "supervisor/supervisor.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oriel {
namespace {

using testing::Each;
using testing::Ge;
using testing::IsEmpty;
using testing::Lt;
using testing::Not;

// Calls a function before it stores anything.
class PausingEngine final : public MemoryBackedEngine {
 public:
  using Pause = std::function<void(std::span<const std::shared_ptr<Record>>)>;

  explicit PausingEngine(Pause pause) : pause_(std::move(pause)) {}

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    pause_(records);
    MemoryBackedEngine::commit(records, documents);
  }

 private:
  Pause pause_;
};

// Looks at the session of each record before its commit and at its publication. `failing` exits at
// once, so that a task soon fails.
class StoredState : public testing::Test {
 protected:
  StoredState() {
    journal_.on_commit([this](const std::vector<RecordPtr>& records) {
      for (const RecordPtr& record : records)
        at_publication_.push_back(shown_index(*record) - record->index);
    });
    journal_.start();
    shards_.start();
    wait(supervisor_.start());
  }

  ~StoredState() override {
    wait(supervisor_.stop());
    end();
  }

  void end() {
    journal_.stop();
    shards_.join();
  }

  // Of what find() returns; -1: it knows no such session, or none with events.
  std::int64_t shown_index(const Record& record) {
    const auto found = wait(supervisor_.find(record.session_id));
    return found ? (*found)->last_index : -1;
  }

  std::unique_ptr<JournalEngine> make_engine() {
    return std::make_unique<PausingEngine>(
        [this](std::span<const std::shared_ptr<Record>> records) {
          // The engine numbers them when it stores them: the next index is the session's count.
          for (const std::shared_ptr<Record>& record : records) {
            const std::int64_t first = indexes_[record->session_id]++;
            before_commit_.push_back(shown_index(*record) - first);
          }
        });
  }

  SupervisorOptions options() {
    AgentSpec failing;
    failing.name = "failing";
    failing.command = {"/bin/sh", "-c", "exit 3"};
    SupervisorOptions options;
    options.agents = {failing};
    options.default_agent = "failing";
    options.sandbox.workspaces = directory_ / "workspaces";
    return options;
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  bool becomes(const std::string& session_id, SessionStatus status) {
    return eventually([&] {
      const auto found = wait(supervisor_.find(session_id));
      return found && (*found)->status == status;
    });
  }

  void expect_equal_to_stored() {
    wait(supervisor_.stop());
    journal_.stop();
    EXPECT_THAT(before_commit_, Not(IsEmpty()));
    EXPECT_THAT(before_commit_, Each(Lt(0)));   // nothing of the event is shown before
    EXPECT_THAT(at_publication_, Each(Ge(0)));  // all of it is shown once a watcher has it
  }

  // By the journal's thread; read after it has stopped. Differences of indexes.
  std::map<std::string, std::int64_t> indexes_;
  std::vector<std::int64_t> before_commit_;
  std::vector<std::int64_t> at_publication_;

  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{make_engine(), {}};
  Supervisor supervisor_{shards_, journal_, options()};
};

TEST_F(StoredState, IsThatOfAHostedSession) {
  NewSession wanted;
  wanted.message = "hello";
  const auto made = wait(supervisor_.create(wanted));
  ASSERT_TRUE(made);
  EXPECT_TRUE(becomes(made->session->session_id, SessionStatus::kFailed));
  expect_equal_to_stored();
}

TEST_F(StoredState, IsThatOfAnObservedSession) {
  IncomingHook incoming;
  incoming.hook.session_id = "native";
  incoming.hook.prompt = "hello";
  incoming.at = {.wall = wall_now(), .steady = std::chrono::steady_clock::now()};
  for (const HookKind kind : {HookKind::kUserPromptSubmit, HookKind::kSessionEnd}) {
    incoming.hook.kind = kind;
    EXPECT_TRUE(wait(supervisor_.observe(incoming)));
  }
  EXPECT_TRUE(becomes("native", SessionStatus::kCompleted));
  expect_equal_to_stored();
}

// A disk that is full shows how long the moment can be.
class UnstoredState : public testing::Test {
 protected:
  UnstoredState() {
    journal_.start();
    shards_.start();
    begin_life();
  }

  ~UnstoredState() override {
    end_life();
    journal_.stop();
    shards_.join();
  }

  void begin_life(std::size_t max_sessions = 1) {
    AgentSpec silent;
    silent.name = "silent";
    silent.command = {"/bin/sh", "-c", "cat >/dev/null"};
    SupervisorOptions options;
    options.agents = {silent};
    options.default_agent = "silent";
    options.sandbox.workspaces = directory_ / "workspaces";
    options.limits = {.max_sessions = max_sessions, .max_kept_sessions = 1};
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    options.runner.command_timeout = std::chrono::milliseconds(50);
    supervisor_ = std::make_unique<Supervisor>(shards_, journal_, std::move(options));
    wait(supervisor_->start());
  }

  void end_life() {
    wait(supervisor_->stop());
    supervisor_.reset();
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  SessionSnapshot shown(const std::string& id) { return wait(supervisor_->find(id)).value(); }

  std::int64_t last_stored(const std::string& id) {
    return wait(journal_.read_session({.session_id = id})).last_index;
  }

  std::atomic<bool> is_full_{false};
  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{std::make_unique<FullEngine>(is_full_), {}};
  std::unique_ptr<Supervisor> supervisor_;
};

TEST_F(UnstoredState, IsNotShown) {
  const std::string id = wait(supervisor_->create({})).value().session->session_id;
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->message(id, {.text = "hello", .request_id = "r1"})));
  EXPECT_EQ(shown(id)->state, WorkState::kIdle);
  EXPECT_EQ(shown(id)->last_index, last_stored(id));
  is_full_ = false;
  EXPECT_TRUE(eventually(
      [&] { return !!wait(supervisor_->message(id, {.text = "hello", .request_id = "r1"})); }));
  EXPECT_EQ(shown(id)->state, WorkState::kCommanded);
  EXPECT_EQ(shown(id)->last_index, last_stored(id));
}

TEST_F(UnstoredState, CountsInLimits) {
  const std::string id = wait(supervisor_->create({})).value().session->session_id;
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->message(id, {.text = "hello", .request_id = "r1"})));
  EXPECT_EQ(wait(supervisor_->create({})).error().kind, ErrorKind::kTooManySessions);
}

TEST_F(UnstoredState, IsNotEvicted) {
  end_life();
  begin_life(2);
  const std::string id = wait(supervisor_->create({})).value().session->session_id;
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->message(id, {.text = "hello", .request_id = "r1"})));
  EXPECT_EQ(wait(supervisor_->create({})).error().kind, ErrorKind::kJournalFailed);
  is_full_ = false;
  EXPECT_TRUE(eventually(
      [&] { return !!wait(supervisor_->message(id, {.text = "hello", .request_id = "r1"})); }));
}

TEST_F(UnstoredState, OfAnInterruptionIsNotShownEither) {
  const std::string id = wait(supervisor_->create({})).value().session->session_id;
  ASSERT_TRUE(wait(supervisor_->message(id, {.text = "hello"})));
  is_full_ = true;
  end_life();
  begin_life();
  EXPECT_EQ(shown(id)->state, WorkState::kCommanded);
  EXPECT_EQ(shown(id)->last_index, last_stored(id));
  is_full_ = false;
  EXPECT_TRUE(eventually([&] { return shown(id)->state == WorkState::kIdle; }));
  EXPECT_EQ(shown(id)->last_index, last_stored(id));
}

}  // namespace
}  // namespace oriel
