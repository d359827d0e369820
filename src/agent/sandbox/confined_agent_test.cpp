// Agents in real sandboxes, where this machine has them.

#include "agent/agent_testing.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

#include <fstream>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Ending {
  std::string refusal;
  std::string said;
  AgentExit exit;
};

// Until the agent ends, or says "done" and is stopped.
asio::awaitable<Ending> tell(AgentSpec spec, std::string workspace, AgentLimits limits) {
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

Ending run(AgentSpec spec, std::string workspace, AgentLimits limits = hurried()) {
  const bool is_contained = is_container(spec.sandbox);
  Ending ending = run_here(tell(std::move(spec), std::move(workspace), limits));
  // Podman's monitor outlives its container by a moment.
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (is_contained && !own_children_left().empty() && std::chrono::steady_clock::now() < limit)
    reap_orphans();
  EXPECT_THAT(own_children_left(), IsEmpty());
  return ending;
}

bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

class BubblewrappedAgent : public testing::Test {
 protected:
  void SetUp() override {
    if (!runs("bwrap --unshare-pid --ro-bind / / --dev /dev --proc /proc true"))
      GTEST_SKIP() << "bubblewrap is not installed, or the kernel forbids it";
  }

  AgentSpec confined(std::string text) {
    AgentSpec spec = script(std::move(text));
    spec.sandbox = SandboxKind::kBubblewrap;
    spec.home = home_;
    return spec;
  }

  TempDirectory playground_;
  std::string workspace_ = playground_.make("workspace");
  std::string home_ = playground_.make("home");
  std::string outside_ = playground_.make("outside");
};

TEST_F(BubblewrappedAgent, WritesInItsWorkspaceAndItsHomeOnly) {
  const Ending ending = run(confined("echo a >here; echo b >$HOME/there; echo c >" + outside_ +
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
  const Ending ending = run(spec, workspace_);
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
  const Ending ending = run(confined("echo say $(cat /proc/[0-9]*/comm)"), workspace_);
  EXPECT_THAT(ending.said, HasSubstr("sh"));
  EXPECT_THAT(ending.said, Not(HasSubstr(name.substr(0, name.size() - 1))));
}

TEST_F(BubblewrappedAgent, EndsAtSigtermInItsOwnWay) {
  const Ending ending =
      run(confined("trap 'exit 7' TERM; echo done; while :; do sleep 0.01; done"), workspace_);
  EXPECT_EQ(ending.exit.code, 7);
}

TEST_F(BubblewrappedAgent, LeavesNothingWhenItIgnoresSigtermAndForksAway) {
  run(confined("trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 600' &); echo done; sleep 600"),
      workspace_);
}

TEST(ConfinedAgent, SaysThatItsSandboxIsMissing) {
  AgentSpec spec = script("exit 0");
  spec.sandbox = SandboxKind::kBubblewrap;
  spec.sandbox_command = {"oriel-no-such-sandbox"};
  EXPECT_EQ(run(spec, "/").refusal,
            "agent scripted: its sandbox 'oriel-no-such-sandbox' is not installed or not on PATH");
}

TEST(ConfinedAgent, SaysThatItHasNoImage) {
  AgentSpec spec = script("exit 0");
  spec.sandbox = SandboxKind::kDocker;
  EXPECT_EQ(run(spec, "/").refusal, "agent scripted: it has no container image");
}

// Podman with a store of its own and an image that holds busybox, made once for all tests.
class PodmanAgent : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    store_ = std::make_unique<TempDirectory>();
    const std::string image = store_->make("image");
    const std::string log = store_->make("log") + "/setup";
    const std::string setup = "cd " + image +
                              " && mkdir -p bin proc dev tmp && cp /bin/busybox bin/ && " +
                              "for name in $(bin/busybox --list); do [ -e bin/$name ] || ln -s "
                              "busybox bin/$name; done && " +
                              "tar -c . | " + podman() + " import - oriel-test && " + podman() +
                              " run --rm --init --network=none " + limits() + " oriel-test true";
    is_available_ = std::system(("(" + setup + ") >" + log + " 2>&1").c_str()) == 0;
    std::ifstream file(log);
    problem_.assign(std::istreambuf_iterator<char>(file), {});
    reap_orphans();
  }

  static void TearDownTestSuite() { store_.reset(); }

  void SetUp() override {
    if (!is_available_) GTEST_SKIP() << "podman does not run here: " << problem_;
  }

  static std::vector<std::string> podman_words() {
    return {"podman",
            "--root=" + store_->make("root"),
            "--runroot=" + store_->make("run"),
            "--storage-driver=vfs",
            "--cgroup-manager=cgroupfs",
            "--runtime=runc",
            "--events-backend=file"};
  }

  static std::string podman() {
    std::string line;
    for (const std::string& word : podman_words())
      line += word + " ";
    return line;
  }

  static std::string limits() { return "--ulimit=nofile=1024:1024 --ulimit=nproc=1024:1024"; }

  static AgentSpec contained(std::string text) {
    AgentSpec spec = script(std::move(text));
    spec.sandbox = SandboxKind::kPodman;
    spec.sandbox_command = podman_words();
    spec.sandbox_options = {"--network=none", "--ulimit=nofile=1024:1024",
                            "--ulimit=nproc=1024:1024"};
    spec.image = "oriel-test";
    return spec;
  }

  // No container is left, running or not.
  static void expect_no_container() {
    EXPECT_TRUE(runs("test -z \"$(" + podman() + " ps --all --quiet)\""));
  }

  static std::unique_ptr<TempDirectory> store_;
  static bool is_available_;
  static std::string problem_;
  TempDirectory playground_;
  std::string workspace_ = playground_.make("workspace");
};

std::unique_ptr<TempDirectory> PodmanAgent::store_;
bool PodmanAgent::is_available_ = false;
std::string PodmanAgent::problem_;

TEST_F(PodmanAgent, WorksInItsMountedWorkspaceWithItsHomeAndItsVariables) {
  AgentSpec spec = contained(
      "read start; echo say $start; echo say $(pwd) $HOME $MODEL_KEY; "
      "touch made; touch $HOME/kept");
  spec.home = playground_.make("home");
  spec.env = {{"MODEL_KEY", "two words"}};
  const Ending ending = run(spec, workspace_);
  EXPECT_EQ(ending.said, "start /workspace|/workspace /home/agent two words|");
  EXPECT_EQ(ending.exit.describe(), "exited with code 0");
  EXPECT_TRUE(std::filesystem::exists(workspace_ + "/made"));
  EXPECT_TRUE(std::filesystem::exists(playground_.make("home") + "/kept"));
  expect_no_container();
}

TEST_F(PodmanAgent, LeavesNoContainerWhenItIgnoresSigterm) {
  run(contained("trap '' TERM; setsid sleep 600 & echo done; while :; do sleep 600; done"),
      workspace_);
  expect_no_container();
}

TEST_F(PodmanAgent, SaysThatItsImageHasNoSuchProgram) {
  AgentSpec spec = contained("");
  spec.command = {"oriel-no-such-agent"};
  const Ending ending = run(spec, workspace_);
  EXPECT_NE(ending.exit.code, 0);
  EXPECT_THAT(ending.exit.describe(), HasSubstr("No such file or directory"));
  expect_no_container();
}

TEST_F(PodmanAgent, SaysThatItsImageIsMissing) {
  AgentSpec spec = contained("");
  spec.image = "localhost/oriel-no-such-image";
  spec.sandbox_options.emplace_back("--pull=never");
  const Ending ending = run(spec, workspace_);
  EXPECT_THAT(ending.exit.describe(), HasSubstr("oriel-no-such-image"));
}

}  // namespace
}  // namespace oriel
