// Agents in real sandboxes, where this machine has them.

#include "agent/sandbox/confined_testing.h"
#include "agent/sandbox/podman_testing.h"

#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Not;

class BubblewrappedAgent : public BubblewrapTest {
 protected:
  AgentSpec confined(std::string text) {
    AgentSpec spec = script(std::move(text));
    spec.sandbox = SandboxKind::kBubblewrap;
    spec.sandbox_init = ORIEL_SANDBOX_INIT;
    spec.home = home_;
    return spec;
  }

  std::string home_ = playground_.make("home");
  std::string outside_ = playground_.make("outside");
};

TEST_F(BubblewrappedAgent, WritesInItsWorkspaceAndItsHomeOnly) {
  const Ending ending =
      run_to_end(confined("echo a >here; echo b >$HOME/there; echo c >" + outside_ +
                          "/secret; touch /etc/oriel-test; echo say $(pwd)"),
                 workspace_);
  EXPECT_EQ(ending.said, workspace_ + "|");
  EXPECT_TRUE(std::filesystem::exists(workspace_ + "/here"));
  EXPECT_TRUE(std::filesystem::exists(home_ + "/there"));
  EXPECT_FALSE(std::filesystem::exists(outside_ + "/secret"));
  EXPECT_FALSE(std::filesystem::exists("/etc/oriel-test"));
}

TEST_F(BubblewrappedAgent, ReadsWhatPeopleSendItAndCannotChangeIt) {
  const std::filesystem::path uploads = playground_.path() / "uploads";
  const std::string note = (uploads / "note").string();
  AgentSpec spec = confined("while ! test -e " + note + "; do sleep 0.01; done; echo say $(cat " +
                            note + "); echo evil >" + note + "; echo done");
  spec.uploads = uploads;  // is made before the agent starts, and what comes later is seen
  std::thread sender([&] {
    while (!std::filesystem::exists(uploads))
      std::this_thread::yield();
    playground_.add("half", "hello");
    std::filesystem::rename(playground_.path() / "half", note);
  });
  const Ending ending = run_to_end(spec, workspace_);
  sender.join();
  EXPECT_EQ(ending.said, "hello|");
  std::ifstream file(note);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "hello");
}

TEST_F(BubblewrappedAgent, SeesNoProcessOfOurs) {
  const std::string ours = "/proc/" + std::to_string(::getpid()) + "/comm";
  const std::string name = [&] {
    std::ifstream file(ours);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  const Ending ending = run_to_end(confined("echo say $(cat /proc/[0-9]*/comm)"), workspace_);
  EXPECT_THAT(ending.said, HasSubstr("sh"));
  EXPECT_THAT(ending.said, Not(HasSubstr(name.substr(0, name.size() - 1))));
}

TEST_F(BubblewrappedAgent, EndsAtSigtermInItsOwnWay) {
  const Ending ending = run_to_end(
      confined("trap 'exit 7' TERM; echo done; while :; do sleep 0.01; done"), workspace_);
  EXPECT_EQ(ending.exit.code, 7);
}

TEST_F(BubblewrappedAgent, LeavesNothingWhenItIgnoresSigtermAndForksAway) {
  run_to_end(
      confined("trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 600' &); echo done; sleep 600"),
      workspace_);
}

TEST(ConfinedAgent, SaysThatItsSandboxIsMissing) {
  const TempDirectory workspace;
  AgentSpec spec = script("exit 0");
  spec.sandbox = SandboxKind::kBubblewrap;
  spec.sandbox_init = ORIEL_SANDBOX_INIT;
  spec.sandbox_command = {"oriel-no-such-sandbox"};
  EXPECT_EQ(run_to_end(spec, workspace.path()).refusal,
            "agent scripted: its sandbox 'oriel-no-such-sandbox' is not installed or not on PATH");
  spec.sandbox_init = "/no/such/init";
  EXPECT_THAT(run_to_end(spec, workspace.path()).refusal, HasSubstr("needs '/no/such/init'"));
}

TEST(ConfinedAgent, SaysThatItHasNoImage) {
  const TempDirectory workspace;
  AgentSpec spec = script("exit 0");
  spec.sandbox = SandboxKind::kDocker;
  spec.sandbox_init = ORIEL_SANDBOX_INIT;
  EXPECT_EQ(run_to_end(spec, workspace.path()).refusal,
            "agent scripted: it has no container image");
}

TEST(ConfinedAgent, SaysThatItsWorkspaceHoldsTooMuch) {
  AgentSpec spec = script("exit 0");
  spec.sandbox = SandboxKind::kBubblewrap;
  spec.sandbox_init = ORIEL_SANDBOX_INIT;
  EXPECT_THAT(run_to_end(spec, "/").refusal, HasSubstr("its sandbox would show '/'"));
}

class PodmanAgent : public testing::Test {
 protected:
  void SetUp() override {
    const std::string& problem = PodmanStore::instance().problem();
    if (!problem.empty()) GTEST_SKIP() << problem;
  }

  static AgentSpec contained(std::string text) {
    AgentSpec spec = script(std::move(text));
    PodmanStore::instance().contain(spec);
    return spec;
  }

  // No container is left, running or not.
  static void expect_no_container() {
    EXPECT_TRUE(runs("test -z \"$(" + PodmanStore::instance().line() + " ps --all --quiet)\""));
  }

  TempDirectory playground_;
  std::string workspace_ = playground_.make("workspace");
};

TEST_F(PodmanAgent, WorksInItsMountedWorkspaceWithItsHomeAndItsVariables) {
  AgentSpec spec = contained(
      "read start; echo say $start; echo say $(pwd) $HOME $MODEL_KEY; "
      "touch made; touch $HOME/kept");
  spec.home = playground_.make("home");
  spec.env = {{"MODEL_KEY", "two words"}};
  const Ending ending = run_to_end(spec, workspace_);
  EXPECT_EQ(ending.said, "start /workspace|/workspace /home/agent two words|");
  EXPECT_EQ(ending.exit.describe(), "exited with code 0");
  EXPECT_TRUE(std::filesystem::exists(workspace_ + "/made"));
  EXPECT_TRUE(std::filesystem::exists(playground_.make("home") + "/kept"));
  expect_no_container();
}

TEST_F(PodmanAgent, LeavesNoContainerWhenItIgnoresSigterm) {
  run_to_end(contained("trap '' TERM; setsid sleep 600 & echo done; while :; do sleep 600; done"),
             workspace_);
  expect_no_container();
}

TEST_F(PodmanAgent, SaysThatItsImageHasNoSuchProgram) {
  AgentSpec spec = contained("");
  spec.command = {"oriel-no-such-agent"};
  const Ending ending = run_to_end(spec, workspace_);
  EXPECT_NE(ending.exit.code, 0);
  EXPECT_THAT(ending.exit.describe(), HasSubstr("No such file or directory"));
  expect_no_container();
}

TEST_F(PodmanAgent, SaysThatItsImageIsMissing) {
  AgentSpec spec = contained("");
  spec.image = "localhost/oriel-no-such-image";
  spec.unsafe_sandbox_options.emplace_back("--pull=never");
  const Ending ending = run_to_end(spec, workspace_);
  EXPECT_THAT(ending.exit.describe(), HasSubstr("oriel-no-such-image"));
}

TEST_F(PodmanAgent, MountsAWorkspaceWithAComma) {
  const std::string workspace = playground_.make("a,b");
  run_to_end(contained("touch made"), workspace);
  EXPECT_TRUE(std::filesystem::exists(workspace + "/made"));
}

// By its cgroup, or where there is none by the limit of each process.
TEST(ConfinedAgent, MemoryBeyondItsLimitEndsAProcess) {
  const TempDirectory workspace;
  AgentSpec spec =
      script("perl -e '$x = \"a\" x 300_000_000; print \"say too much\\n\"'; echo say survived");
  spec.max_memory = 64 << 20;
  EXPECT_EQ(run_to_end(spec, workspace.path()).said, "survived|");
}

}  // namespace
}  // namespace oriel
