// What commands of hosted sessions do while the journal cannot store: nothing is acknowledged
// before it is stored, and every command answers.

#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "runtime/deadline.h"
#include "supervisor/full_engine_testing.h"
#include "supervisor/supervisor.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <future>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::SizeIs;

constexpr milliseconds kShortTimeout{400};
constexpr milliseconds kLongTimeout = std::chrono::minutes(5);

// Two lives of Oriel over one journal; its agent is a program that says nothing.
class FullDisk : public testing::Test {
 protected:
  FullDisk() {
    journal_.start();
    shards_.start();
    begin_life(kLongTimeout);
  }

  ~FullDisk() override {
    end_life();
    journal_.stop();
    shards_.join();
  }

  void begin_life(milliseconds command_timeout) {
    AgentSpec silent;
    silent.name = "silent";
    silent.command = {"/bin/sh", "-c", "cat >/dev/null"};
    SupervisorOptions options;
    options.agents = {silent};
    options.default_agent = "silent";
    options.sandbox.workspaces = directory_ / "workspaces";
    options.runner.agent.close_grace = milliseconds(100);
    options.runner.command_timeout = command_timeout;
    supervisor_ = std::make_unique<Supervisor>(shards_, journal_, std::move(options));
    wait(supervisor_->start());
  }

  void end_life() {
    if (!supervisor_) return;
    wait(supervisor_->stop());
    supervisor_.reset();
  }

  void restart(milliseconds command_timeout = kLongTimeout) {
    end_life();
    is_full_ = false;
    begin_life(command_timeout);
  }

  template <class T>
  std::future<T> begin(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future);
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    return begin(std::move(work)).get();
  }

  std::string create() { return wait(supervisor_->create({})).value().session->session_id; }

  static UserMessage hello(std::string request_id) {
    return {.text = "hello", .request_id = std::move(request_id)};
  }

  std::size_t stored_messages(const std::string& session_id) {
    return stored(session_id, "message");
  }

  std::size_t stored(const std::string& session_id, std::string type) {
    SessionQuery query{.session_id = session_id, .types = {std::move(type)}};
    return wait(journal_.read_session(std::move(query))).records.size();
  }

  // Stops Oriel, and returns what this command was answered meanwhile.
  template <class T>
  T answer_at_shutdown(std::future<T> waiting) {
    wait_for_a_failure();
    wait(supervisor_->stop());
    return waiting.get();
  }

  // Returns once an append has failed after this call.
  void wait_for_a_failure() {
    const std::uint64_t before = journal_.counts().failures;
    EXPECT_TRUE(eventually([&] { return journal_.counts().failures > before; }));
  }

  std::atomic<bool> is_full_{false};
  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{std::make_unique<FullEngine>(is_full_), {}};
  std::unique_ptr<Supervisor> supervisor_;
};

TEST_F(FullDisk, AMessageThatIsNotStoredAtShutdownIsNotAcknowledged) {
  const std::string id = create();
  is_full_ = true;
  auto waiting = begin(supervisor_->message(id, hello("r1")));
  const auto answer = answer_at_shutdown(std::move(waiting));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kStopping);
  EXPECT_THAT(answer.error().message, HasSubstr("disk full"));
  restart();
  EXPECT_EQ(stored_messages(id), 0U);
  const auto again = wait(supervisor_->message(id, hello("r1")));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->is_repeat);
  EXPECT_EQ(stored_messages(id), 1U);
}

TEST_F(FullDisk, ASaidTurnThatIsNotStoredAtShutdownIsNotAcknowledged) {
  NewTurn turn;
  turn.session_id = create();
  turn.text = "hello";
  is_full_ = true;
  auto waiting = begin(supervisor_->say(turn));
  EXPECT_EQ(answer_at_shutdown(std::move(waiting)).error().kind, ErrorKind::kStopping);
}

TEST_F(FullDisk, ASessionThatIsNotStoredAtShutdownIsNotAcknowledged) {
  is_full_ = true;
  auto waiting = begin(supervisor_->create({}));
  EXPECT_EQ(answer_at_shutdown(std::move(waiting)).error().kind, ErrorKind::kStopping);
  restart();
  EXPECT_THAT(wait(supervisor_->list({})), SizeIs(0));
}

TEST_F(FullDisk, AnEndThatIsNotStoredAtShutdownIsNotAcknowledged) {
  const std::string id = create();
  is_full_ = true;
  auto waiting = begin(supervisor_->end(id, "local"));
  EXPECT_EQ(answer_at_shutdown(std::move(waiting)).error().kind, ErrorKind::kStopping);
  restart();
  EXPECT_EQ(wait(supervisor_->find(id)).value()->status, SessionStatus::kIdle);
}

TEST_F(FullDisk, AMessageThatWaitsIsAcknowledgedOnceThereIsSpace) {
  const std::string id = create();
  is_full_ = true;
  auto waiting = begin(supervisor_->message(id, hello("r1")));
  wait_for_a_failure();
  is_full_ = false;
  EXPECT_TRUE(waiting.get());
  EXPECT_EQ(stored_messages(id), 1U);
}

TEST_F(FullDisk, EveryCommandAnswersInTimeWithTheReason) {
  const std::string id = create();
  const std::string other = create();
  restart(kShortTimeout);
  is_full_ = true;
  const auto first = wait(supervisor_->message(id, hello("r1")));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, ErrorKind::kJournalFailed);
  EXPECT_THAT(first.error().message, HasSubstr("disk full"));
  EXPECT_THAT(first.error().hint, HasSubstr("same request_id"));

  EXPECT_EQ(wait(supervisor_->message(id, hello("r2"))).error().kind, ErrorKind::kJournalFailed);
  EXPECT_EQ(wait(supervisor_->cancel(id, "local")).error().kind, ErrorKind::kJournalFailed);
  EXPECT_EQ(wait(supervisor_->answer(id, "perm_1", {})).error().kind, ErrorKind::kJournalFailed);
  EXPECT_EQ(wait(supervisor_->end(other, "local")).error().kind, ErrorKind::kJournalFailed);
  EXPECT_EQ(wait(supervisor_->create({})).error().kind, ErrorKind::kJournalFailed);
}

TEST_F(FullDisk, ARepetitionIsAcknowledgedOnceTheMessageIsStored) {
  const std::string id = create();
  restart(kShortTimeout);
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->message(id, hello("r1"))));
  EXPECT_FALSE(wait(supervisor_->message(id, hello("r1"))));
  is_full_ = false;
  auto again = wait(supervisor_->message(id, hello("r1")));
  while (!again)
    again = wait(supervisor_->message(id, hello("r1")));
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(stored_messages(id), 1U);
}

TEST_F(FullDisk, AMessageThatWasRefusedHasChangedNothing) {
  const std::string id = create();
  restart(kShortTimeout);
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->message(id, hello("r1"))));
  const auto refused = wait(supervisor_->message(id, hello("r2")));
  EXPECT_THAT(refused.error().hint, HasSubstr("had no effect"));
  is_full_ = false;
  EXPECT_TRUE(eventually([&] { return !!wait(supervisor_->message(id, hello("r1"))); }));
  EXPECT_EQ(stored_messages(id), 1U);
}

TEST_F(FullDisk, AnEndIsStoredOnceThereIsSpaceAndThenAcknowledged) {
  const std::string id = create();
  restart(kShortTimeout);
  is_full_ = true;
  EXPECT_FALSE(wait(supervisor_->end(id, "local")));
  EXPECT_FALSE(wait(supervisor_->end(id, "local")));
  is_full_ = false;
  EXPECT_TRUE(eventually([&] { return !!wait(supervisor_->end(id, "local")); }));
  restart();
  EXPECT_EQ(wait(supervisor_->find(id)).value()->status, SessionStatus::kCompleted);
}

TEST_F(FullDisk, ARepeatedCreationMakesOneSession) {
  restart(kShortTimeout);
  NewSession wanted;
  wanted.request_id = "r1";
  wanted.message = "hello";
  is_full_ = true;
  EXPECT_EQ(wait(supervisor_->create(wanted)).error().kind, ErrorKind::kJournalFailed);
  EXPECT_EQ(wait(supervisor_->create(wanted)).error().kind, ErrorKind::kJournalFailed);
  is_full_ = false;
  auto made = wait(supervisor_->create(wanted));
  while (!made)
    made = wait(supervisor_->create(wanted));
  EXPECT_NE(made->task_id, "");
  EXPECT_THAT(wait(supervisor_->list({})), SizeIs(1));
  EXPECT_EQ(stored_messages(made->session->session_id), 1U);
}

TEST_F(FullDisk, ASessionRestoredOnAFullDiskKeepsItsIndexes) {
  const std::string id = create();
  ASSERT_TRUE(wait(supervisor_->message(id, hello("r1"))));
  is_full_ = true;
  end_life();  // the end of its task is not stored
  begin_life(kLongTimeout);
  is_full_ = false;
  ASSERT_TRUE(wait(supervisor_->message(id, hello("r2"))));
  SessionQuery newest{.session_id = id};
  const std::int64_t last_index = wait(journal_.read_session(std::move(newest))).last_index;
  EXPECT_EQ(wait(supervisor_->find(id)).value()->last_index, last_index);
}

TEST_F(FullDisk, WorkInterruptedByARestartOnAFullDiskEndsBeforeTheNextMessage) {
  const std::string id = create();
  ASSERT_TRUE(wait(supervisor_->message(id, hello("r1"))));
  is_full_ = true;
  end_life();
  begin_life(kLongTimeout);
  EXPECT_EQ(stored(id, "completion"), 0U);
  is_full_ = false;
  ASSERT_TRUE(wait(supervisor_->message(id, hello("r2"))));
  EXPECT_EQ(stored(id, "completion"), 1U);
}

TEST_F(FullDisk, WorkInterruptedByTwoRestartsOnAFullDiskEndsOnce) {
  const std::string id = create();
  ASSERT_TRUE(wait(supervisor_->message(id, hello("r1"))));
  is_full_ = true;
  for (int i = 0; i < 2; ++i) {
    end_life();
    begin_life(kLongTimeout);
  }
  restart();
  EXPECT_EQ(stored(id, "completion"), 1U);
  EXPECT_EQ(wait(supervisor_->find(id)).value()->status, SessionStatus::kIdle);
}

}  // namespace
}  // namespace oriel
