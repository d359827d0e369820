// Real agents in real sandboxes, with the scripted model as the only place that they can reach.

#include "agent_fixture.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <tuple>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

class SandboxedAgents : public testing::TestWithParam<std::tuple<RealAgent, Sandbox>> {
 protected:
  void SetUp() override {
    const auto& [agent, sandbox] = GetParam();
    const std::string problem = why_not_installed(agent) + why_no_sandbox(sandbox);
    const bool is_needed = std::getenv("ORIEL_AGENTS_NEEDED") != nullptr;
    if (!problem.empty() && is_needed) FAIL() << problem;
    if (!problem.empty()) GTEST_SKIP() << problem;
    fixture_ = std::make_unique<AgentFixture>(agent, sandbox);
  }

  // The result of one command of its shell.
  static Event run(SessionClient& session, const std::string& command) {
    session.send("[[run:" + command + "]]");
    Events events;
    do {
      const Events more = session.until([](const Event& event) {
        return string_of(event, "status") == "pending" ||
               (string_of(event, "type") == "status" && string_of(event, "text") != "running");
      });
      events.insert(events.end(), more.begin(), more.end());
      if (string_of(more.back(), "type") == "permission") session.decide("allow");
    } while (string_of(events.back(), "type") != "status");
    const Events results = of_type(events, "tool_result");
    EXPECT_THAT(results, SizeIs(1)) << to_text(events);
    return results.empty() ? Event() : results.front();
  }

  std::unique_ptr<AgentFixture> fixture_;
};

TEST_P(SandboxedAgents, WorkAndSeeTheirWorkspaceOnly) {
  SessionClient session = fixture_->start_session();
  EXPECT_EQ(final_answer(session.task("Hello there")), "This is the scripted answer.");
  EXPECT_THAT(string_of(run(session, "cat notes.txt"), "text"), HasSubstr("alpha"));
  run(session, "touch made.txt");
  EXPECT_TRUE(fs::exists(fixture_->workspace() / "made.txt"));
  const std::string journal = (fixture_->server().data_dir() / "journal.db").string();
  ASSERT_TRUE(fs::exists(journal));
  EXPECT_THAT(
      string_of(run(session, "test -e " + journal + " && echo seen || echo unseen"), "text"),
      HasSubstr("unseen"));
  EXPECT_EQ(session.status(), "idle");
}

std::string name_in_sandbox(const testing::TestParamInfo<std::tuple<RealAgent, Sandbox>>& test) {
  const auto& [agent, sandbox] = test.param;
  return agent.name + (sandbox == Sandbox::kPodman ? "_podman" : "_bubblewrap");
}

INSTANTIATE_TEST_SUITE_P(More, SandboxedAgents,
                         testing::Combine(testing::Values(droid(), claude()),
                                          testing::Values(Sandbox::kBubblewrap, Sandbox::kPodman)),
                         name_in_sandbox);

}  // namespace
}  // namespace oriel
