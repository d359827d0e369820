#pragma once
// For tests that run agents in real sandboxes.

#include "agent/agent_testing.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace oriel {

struct Ending {
  std::string refusal;
  std::string said;
  AgentExit exit;
};

// Until the agent ends, or says "done" and is stopped.
inline asio::awaitable<Ending> run_agent(AgentSpec spec, std::string workspace,
                                         AgentLimits limits) {
  Agent agent(co_await asio::this_coro::executor, std::move(spec), std::make_unique<WordAdapter>(),
              limits);
  Ending ending;
  const Result<void> started = co_await agent.start(std::move(workspace), "");
  if (!started) ending.refusal = started.error().message;
  bool is_over = !started;
  bool is_stopped = false;
  while (!is_over) {
    AgentOutput output = co_await agent.next();
    bool is_done = false;
    for (const AgentEvent& event : output.events) {
      if (const auto* delta = std::get_if<TextDelta>(&event)) ending.said += delta->text + "|";
      is_done |= std::holds_alternative<TaskEnded>(event);
    }
    if (output.exit) ending.exit = *output.exit;
    is_over = output.exit.has_value();
    if (is_done && !is_stopped) co_await agent.stop();
    is_stopped |= is_done;
  }
  co_await agent.stop();
  co_return ending;
}

inline Ending run_to_end(AgentSpec spec, std::string workspace, AgentLimits limits = hurried()) {
  const bool is_contained = is_container(spec.sandbox);
  Ending ending = run_here(run_agent(std::move(spec), std::move(workspace), limits));
  // Podman's monitor outlives its container by a moment.
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (is_contained && !own_children_left().empty() && std::chrono::steady_clock::now() < limit)
    reap_orphans();
  EXPECT_THAT(own_children_left(), testing::IsEmpty());
  return ending;
}

inline bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Skips the test where bubblewrap does not work.
class BubblewrapTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!runs("bwrap --unshare-user --disable-userns --unshare-pid --ro-bind / / --dev /dev --proc "
              "/proc true"))
      GTEST_SKIP() << "bubblewrap is not installed, or the kernel forbids it";
  }

  TempDirectory playground_;
  std::string workspace_ = playground_.make("workspace");
};

}  // namespace oriel
