#include "supervisor/supervisor.h"

#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "runtime/deadline.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <future>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A supervisor over a journal in memory; its agent is a program that says nothing.
class SupervisorTest : public testing::Test {
 protected:
  SupervisorTest() {
    journal_.start();
    shards_.start();
    wait(supervisor_.start());
  }

  ~SupervisorTest() override {
    wait(supervisor_.stop());
    journal_.stop();
    shards_.join();
  }

  static SupervisorOptions options(const std::filesystem::path& workspaces) {
    AgentSpec silent;
    silent.name = "silent";
    silent.command = {"/bin/cat"};
    SupervisorOptions options;
    options.agents = {silent};
    options.default_agent = "silent";
    options.sandbox.workspaces = workspaces;
    options.limits.max_sessions = 1;
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    return options;
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

  // Both start before either continues.
  template <class T>
  std::pair<T, T> wait_both(asio::awaitable<T> one, asio::awaitable<T> other) {
    std::promise<void> gate;
    auto hold = [&] { gate.get_future().wait(); };
    asio::post(shards_[0].executor(), hold);
    auto first = begin(std::move(one));
    auto second = begin(std::move(other));
    gate.set_value();
    T answer = first.get();
    return {std::move(answer), second.get()};
  }

  static NewSession named(std::string request_id, std::string message = {}) {
    NewSession wanted;
    wanted.request_id = std::move(request_id);
    wanted.message = std::move(message);
    return wanted;
  }

  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{make_memory_engine({}), {}};
  Supervisor supervisor_{shards_, journal_, options(directory_ / "workspaces")};
};

TEST_F(SupervisorTest, ACommandAfterStopStartsNothing) {
  const std::string id = wait(supervisor_.create({})).value().session->session_id;
  wait(supervisor_.stop());
  EXPECT_EQ(wait(supervisor_.cancel(id, "local")).error().kind, ErrorKind::kStopping);
  EXPECT_EQ(wait(supervisor_.answer(id, "per_1", {})).error().kind, ErrorKind::kStopping);
  EXPECT_EQ(wait(supervisor_.message(id, {.text = "hello"})).error().kind, ErrorKind::kStopping);
  EXPECT_EQ(wait(supervisor_.end(id, "local")).error().kind, ErrorKind::kStopping);
  EXPECT_EQ(wait(supervisor_.create({})).error().kind, ErrorKind::kStopping);
}

TEST_F(SupervisorTest, ASessionThatIsBeingCreatedAtShutdownIsNotCreated) {
  std::promise<void> gate;
  asio::post(shards_[0].executor(), [&] { gate.get_future().wait(); });
  auto made = begin(supervisor_.create(named("r1")));
  auto stopped = begin(supervisor_.stop());
  gate.set_value();
  EXPECT_EQ(made.get().error().kind, ErrorKind::kStopping);
  stopped.get();
  EXPECT_THAT(wait(supervisor_.list({})), SizeIs(0));
}

TEST_F(SupervisorTest, ARequestThatIsRepeatedTooSoonFailsWithInProgress) {
  auto [first, second] =
      wait_both(supervisor_.create(named("r1", "hello")), supervisor_.create(named("r1", "hello")));
  ASSERT_TRUE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kInProgress);
  EXPECT_THAT(second.error().hint, HasSubstr("retry"));

  const auto third = wait(supervisor_.create(named("r1", "hello")));
  ASSERT_TRUE(third);
  EXPECT_TRUE(third->is_repeat);
  EXPECT_EQ(third->task_id, first->task_id);
  EXPECT_EQ(third->session->session_id, first->session->session_id);
}

TEST_F(SupervisorTest, ASessionCountsWhileItsWorkspaceIsCreated) {
  auto [first, second] = wait_both(supervisor_.create({}), supervisor_.create({}));
  EXPECT_TRUE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kTooManySessions);
}

TEST_F(SupervisorTest, ASessionWithoutAWorkspaceLeavesNothing) {
  NewSession lost = named("r1");
  lost.workspace = "/nowhere/at/all";
  EXPECT_EQ(wait(supervisor_.create(lost)).error().kind, ErrorKind::kInvalidWorkspace);
  EXPECT_THAT(wait(supervisor_.list({})), SizeIs(0));
  EXPECT_TRUE(wait(supervisor_.create(named("r1"))));
}

TEST_F(SupervisorTest, AnObservedSessionIsListedAndTakesNoCommands) {
  IncomingHook incoming;
  incoming.hook.kind = HookKind::kUserPromptSubmit;
  incoming.hook.session_id = "native";
  incoming.hook.prompt = "hello";
  incoming.at = {.wall = wall_now(), .steady = std::chrono::steady_clock::now()};
  EXPECT_EQ(wait(supervisor_.observe(incoming)).value(), "native");
  EXPECT_TRUE(eventually([this] { return !!wait(supervisor_.find("native")); }));
  EXPECT_THAT(wait(supervisor_.list({})), SizeIs(1));
  EXPECT_EQ(wait(supervisor_.message("native", {.text = "hello"})).error().kind,
            ErrorKind::kObserved);
  EXPECT_EQ(wait(supervisor_.cancel("native", "local")).error().kind, ErrorKind::kObserved);
  EXPECT_EQ(wait(supervisor_.answer("native", "perm_1", {})).error().kind, ErrorKind::kObserved);
  EXPECT_EQ(wait(supervisor_.end("native", "local")).error().kind, ErrorKind::kObserved);
  EXPECT_TRUE(wait(supervisor_.create({})));  // within the limit
}

// Oriel had made the session and ended before it took the message.
TEST_F(SupervisorTest, ARepetitionSendsTheMessageThatWasNotTaken) {
  const auto made = wait(supervisor_.create(named("r1")));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->task_id, "");
  const auto again = wait(supervisor_.create(named("r1", "hello")));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->session->session_id, made->session->session_id);
  EXPECT_NE(again->task_id, "");
  EXPECT_EQ(wait(supervisor_.create(named("r1", "hello")))->task_id, again->task_id);
}

TEST_F(SupervisorTest, WithoutAClusterASessionHasNoNodeAndNoOwnerDocument) {
  NewSession wanted = named("r1");
  wanted.node = "a";
  const auto refused = wait(supervisor_.create(wanted));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidParameter);
  wanted.node.clear();
  const auto created = wait(supervisor_.create(wanted));
  ASSERT_TRUE(created);
  EXPECT_EQ(created->session->node, "");
  EXPECT_THAT(wait(journal_.read_documents("owner/")), SizeIs(0));
  EXPECT_THAT(wait(journal_.read_documents("request/")), SizeIs(0));
}

}  // namespace
}  // namespace oriel
