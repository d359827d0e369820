// What a session does with an agent that cannot resume its conversation.

#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "runtime/deadline.h"
#include "supervisor/supervisor.h"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace oriel {
namespace {

// An ACP agent that exits after each task and knows no session afterwards.
constexpr const char* kForgetful = R"(
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}'
read opening
case $opening in *session/load*)
  echo '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such session"}}'
  exec cat >/dev/null;;
esac
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
read prompt
echo '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
)";

class SessionResume : public testing::Test {
 protected:
  SessionResume() {
    journal_.start();
    shards_.start();
    wait(supervisor_.start());
  }

  ~SessionResume() override {
    wait(supervisor_.stop());
    journal_.stop();
    shards_.join();
  }

  SupervisorOptions options() {
    AgentSpec forgetful;
    forgetful.name = "forgetful";
    forgetful.command = {"/bin/sh", "-c", kForgetful};
    SupervisorOptions options;
    options.agents = {forgetful};
    options.default_agent = "forgetful";
    options.sandbox.workspaces = directory_ / "workspaces";
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    return options;
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  // Waits until all is done and the agent has exited. Turns: a command and a completion each.
  SessionSnapshot after_tasks(const std::string& id, std::size_t tasks) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    SessionSnapshot state = wait(supervisor_.find(id)).value();
    while ((state->turns < 2 * tasks || state->is_live) &&
           std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
      state = wait(supervisor_.find(id)).value();
    }
    return state;
  }

  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{make_memory_engine({}), {}};
  Supervisor supervisor_{shards_, journal_, options()};
};

TEST_F(SessionResume, ANewConversationTakesTheMessagesOfOneThatIsLost) {
  const std::string id = wait(supervisor_.create({})).value().session->session_id;
  ASSERT_TRUE(wait(supervisor_.message(id, {.text = "one"})));
  EXPECT_EQ(after_tasks(id, 1)->agent_session_id, "s1");
  ASSERT_TRUE(wait(supervisor_.message(id, {.text = "two"})));
  const SessionSnapshot state = after_tasks(id, 2);
  EXPECT_EQ(state->status, SessionStatus::kIdle) << state->reason;
  EXPECT_EQ(state->turns, 4U);
  EXPECT_EQ(state->agent_session_id, "s1");
}

}  // namespace
}  // namespace oriel
