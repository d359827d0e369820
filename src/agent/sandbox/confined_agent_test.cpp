// Agents in real sandboxes, where this machine has them.

#include "agent/sandbox/confined_testing.h"
#include "agent/sandbox/local_service_testing.h"
#include "posix/cgroup.h"

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
    spec.sandbox_init = ORIEL_SANDBOX_INIT;
    spec.unsafe_sandbox_options = {"--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"};
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

TEST_F(PodmanAgent, ReachesTheNetworkThroughTheProxyOnly) {
  const LocalService service;
  AgentSpec spec = contained(R"sh(
proxied() {
  printf 'CONNECT %s HTTP/1.1\r\n\r\n' $1 | nc 127.0.0.1 ${HTTPS_PROXY##*:} | {
    read -r version status rest; echo say $1 $status; }
}
nc 127.0.0.1 $SERVICE </dev/null && echo say reached
proxied 127.0.0.2:$SERVICE
proxied localhost:$SERVICE
)sh");
  const std::string port = std::to_string(service.port());
  spec.env = {{"SERVICE", port}};
  EXPECT_EQ(run_to_end(spec, workspace_).said,
            "127.0.0.2:" + port + " 403|localhost:" + port + " 403|");
  spec.network = {.kind = NetworkKind::kList, .allowed = {{"127.0.0.2", service.port()}}};
  EXPECT_EQ(run_to_end(spec, workspace_).said,
            "127.0.0.2:" + port + " 200|localhost:" + port + " 403|");
}

// The attempts of escape_test.cpp that make sense in a container.
TEST_F(PodmanAgent, NoFileOrSocketOfTheHostIsThere) {
  const LocalService service;
  playground_.add("home/.ssh/id", "key");
  playground_.add("data/tokens.json", "{}");
  playground_.add("data/workspaces/other/secret", "x");
  const std::string workspace = playground_.make("data/workspaces/own");
  AgentSpec spec = contained(R"sh(
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "say $name"; fi; }
try ssh cat $P/home/.ssh/id
try tokens cat $P/data/tokens.json
try other-workspace cat ../other/secret
try other-workspace cat $P/data/workspaces/other/secret
try parent-root cat /proc/1/root$P/home/.ssh/id
try our-process kill -0 $OUR_PID
try service nc -w 1 127.0.0.1 $SERVICE
try abstract sh -c 'test $(wc -l </proc/net/unix) -gt 1 && grep -q @ /proc/net/unix'
try oriel test -n "$ORIEL_URL$ORIEL_TOKEN"
try docker test -e /var/run/docker.sock
try configuration grep -q key oriel.toml
try replace sh -c 'echo x >other && mv -f other oriel.toml'
)sh");
  playground_.add("data/workspaces/own/oriel.toml", "key");
  spec.hidden = {playground_ / "data"};
  spec.hidden_files = {playground_ / "data/workspaces/own/oriel.toml"};
  spec.oriel_port = service.port();
  spec.env = {{"P", playground_.path().string()},
              {"OUR_PID", std::to_string(::getpid())},
              {"SERVICE", std::to_string(service.port())}};
  EXPECT_EQ(run_to_end(spec, workspace).said, "");
  std::ifstream config(workspace + "/oriel.toml");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(config), {}), "key");
  expect_no_container();
}

TEST_F(PodmanAgent, ReachesOrielOnlyIfItMay) {
  const LocalService service;
  AgentSpec spec = contained(R"sh(
if [ -z "$ORIEL_URL" ]; then echo say no way; exit; fi
printf 'GET / HTTP/1.1\r\n\r\n' | nc 127.0.0.1 ${ORIEL_URL##*:} | { while read -r line; do last=$line; done; echo say $last; }
echo say $ORIEL_TOKEN
)sh");
  spec.oriel_port = service.port();
  spec.network.kind = NetworkKind::kNone;
  EXPECT_EQ(run_to_end(spec, workspace_).said, "no way|");
  spec.allow_oriel = true;
  spec.oriel_token = "oriel_own";
  EXPECT_EQ(run_to_end(spec, workspace_).said, "reached|oriel_own|");
}

TEST(ConfinedAgent, MemoryBeyondItsLimitEndsAProcess) {
  if (!can_limit_memory(agent_cgroups()))
    GTEST_SKIP() << "this process has no delegated cgroup with the memory controller";
  const TempDirectory workspace;
  AgentSpec spec =
      script("perl -e '$x = \"a\" x 300_000_000; print \"say too much\\n\"'; echo say survived");
  spec.max_memory = 64 << 20;
  EXPECT_EQ(run_to_end(spec, workspace.path()).said, "survived|");
}

TEST_F(PodmanAgent, HasNoPrivilegesAndCannotGainThem) {
  EXPECT_EQ(run_to_end(contained("while read -r name value; do case $name in NoNewPrivs:|CapEff:)"
                                 " echo say $name $value;; esac; done </proc/self/status"),
                       workspace_)
                .said,
            "CapEff: 0000000000000000|NoNewPrivs: 1|");
}

}  // namespace
}  // namespace oriel
