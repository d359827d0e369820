// An exception in the coroutines of a session's runner ends its task, never its service.

#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "runtime/deadline.h"
#include "supervisor/supervisor.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The issuer of the agent's token runs out of memory.
class SessionFailure : public testing::Test {
 protected:
  SessionFailure() {
    journal_.start();
    shards_.start();
    wait(supervisor_.start());
  }

  ~SessionFailure() override {
    wait(supervisor_.stop());
    journal_.stop();
    shards_.join();
  }

  SupervisorOptions options() {
    AgentSpec silent;
    silent.name = "silent";
    silent.command = {"/bin/sh", "-c", "cat >/dev/null"};
    silent.allow_oriel = true;
    SupervisorOptions options;
    options.agents = {silent};
    options.default_agent = "silent";
    options.sandbox.workspaces = directory_ / "workspaces";
    options.limits.max_sessions = 1;
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    options.runner.tokens = {.issue = [this](const std::string&) -> std::string {
                               ++starts_;
                               throw std::bad_alloc();
                             },
                             .revoke = [](const std::string&) {}};
    return options;
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  SessionSnapshot wait_for_failure(const std::string& id) {
    SessionSnapshot state = wait(supervisor_.find(id)).value();
    while (state->status != SessionStatus::kFailed) {
      std::this_thread::yield();
      state = wait(supervisor_.find(id)).value();
    }
    return state;
  }

  std::atomic<int> starts_{0};
  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{make_memory_engine({}), {}};
  Supervisor supervisor_{shards_, journal_, options()};
};

TEST_F(SessionFailure, EndsTheTaskWithItsReason) {
  NewSession wanted;
  wanted.message = "hello";
  const auto made = wait(supervisor_.create(wanted));
  ASSERT_TRUE(made);
  const SessionSnapshot state = wait_for_failure(made->session->session_id);
  EXPECT_THAT(state->reason, HasSubstr("could not be run: std::bad_alloc"));
  EXPECT_THAT(state->queue, IsEmpty());
  EXPECT_FALSE(state->is_in_task);
}

TEST_F(SessionFailure, FreesTheSessionAndTheNextMessageTriesAgain) {
  const std::string id = wait(supervisor_.create({})).value().session->session_id;
  ASSERT_TRUE(wait(supervisor_.message(id, {.text = "one"})));
  wait_for_failure(id);
  EXPECT_TRUE(wait(supervisor_.create({})));  // it does not count as running
  ASSERT_TRUE(wait(supervisor_.message(id, {.text = "two"})));
  EXPECT_TRUE(eventually([this] { return starts_ >= 2; }));
  EXPECT_TRUE(wait(supervisor_.end(id, "local")));
}

}  // namespace
}  // namespace oriel
