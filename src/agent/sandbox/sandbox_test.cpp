#include "agent/sandbox/sandbox.h"

#include <gmock/gmock.h>
#include <spdlog/fmt/ranges.h>

namespace oriel {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

const Environment kServerEnvironment{{"PATH", "/bin"},
                                     {"HOME", "/home/ann"},
                                     {"XDG_RUNTIME_DIR", "/run/user/1000"},
                                     {"MODEL_KEY", "secret"},
                                     {"OTHER_KEY", "hidden"}};

AgentSpec confined(SandboxKind sandbox) {
  AgentSpec spec;
  spec.sandbox = sandbox;
  spec.image = "droid:1";
  spec.pass_env = {"MODEL_KEY"};
  spec.sandbox_options = {"--extra"};
  return spec;
}

Launch plan(const AgentSpec& spec) {
  return plan_launch(spec, {"droid", "exec"}, "/srv/work", kServerEnvironment, "oriel-1");
}

TEST(Sandbox, NoneIsTheCommandItself) {
  const Launch launch = plan(confined(SandboxKind::kNone));
  EXPECT_THAT(launch.command.argv, ElementsAre("droid", "exec"));
  EXPECT_EQ(launch.command.directory, "/srv/work");
  EXPECT_THAT(launch.command.environment,
              AllOf(Contains(Pair("ORIEL_AGENT_ID", "oriel-1")),
                    Contains(Pair("MODEL_KEY", "secret")), Not(Contains(Key("OTHER_KEY")))));
  EXPECT_FALSE(launch.removal);
}

TEST(Sandbox, BubblewrapOpensTheHomeThenTheWorkspaceThenWhatIsConfigured) {
  const Launch launch = plan(confined(SandboxKind::kBubblewrap));
  EXPECT_THAT(launch.command.argv,
              ElementsAre("bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc",
                          "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs",
                          "/tmp", "--bind-try", "/home/ann", "/home/ann", "--bind", "/srv/work",
                          "/srv/work", "--chdir", "/srv/work", "--extra", "--", "droid", "exec"));
  EXPECT_TRUE(launch.is_wrapped);
}

TEST(Sandbox, BubblewrapShowsAProgramThatLiesWhereItsOwnTmpIs) {
  const AgentSpec spec = confined(SandboxKind::kBubblewrap);
  const Launch launch =
      plan_launch(spec, {"/tmp/build/droid"}, "/srv/work", kServerEnvironment, "oriel-1");
  EXPECT_THAT(fmt::format("{}", fmt::join(launch.command.argv, " ")),
              HasSubstr("--tmpfs /tmp --ro-bind /tmp/build/droid /tmp/build/droid --bind-try"));
}

TEST(Sandbox, BubblewrapDoesNotOpenTheWholeSystemAsAHome) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.home = "/";
  EXPECT_THAT(plan(spec).command.argv, Not(Contains("--bind-try")));
}

TEST(Sandbox, ContainersGetTheirValuesFromTheEnvironmentNotFromArguments) {
  for (const SandboxKind kind : {SandboxKind::kPodman, SandboxKind::kDocker}) {
    const Launch launch = plan(confined(kind));
    EXPECT_THAT(launch.command.argv, Contains("MODEL_KEY"));
    EXPECT_THAT(launch.command.argv, Not(Contains(HasSubstr("secret"))));
    EXPECT_THAT(launch.command.environment,
                AllOf(Contains(Pair("MODEL_KEY", "secret")), Not(Contains(Key("OTHER_KEY"))),
                      Contains(Pair("HOME", "/home/ann")),
                      Contains(Pair("XDG_RUNTIME_DIR", "/run/user/1000"))));
  }
}

TEST(Sandbox, PodmanRunsTheImageInTheWorkspaceAndIsRemovedByName) {
  AgentSpec spec = confined(SandboxKind::kPodman);
  spec.sandbox_command = {"podman", "--storage-driver=vfs"};
  spec.home = "/srv/home";
  const Launch launch = plan(spec);
  EXPECT_THAT(launch.command.argv,
              ElementsAre("podman", "--storage-driver=vfs", "run", "--rm", "--interactive",
                          "--init", "--name", "oriel-1", "--workdir", "/workspace", "--mount",
                          "type=bind,source=/srv/work,target=/workspace", "--log-driver",
                          "passthrough", "--mount", "type=bind,source=/srv/home,target=/home/agent",
                          "--env", "HOME=/home/agent", "--env", "MODEL_KEY", "--env", "NO_COLOR",
                          "--env", "ORIEL_AGENT_ID=oriel-1", "--env", "TERM", "--extra", "droid:1",
                          "droid", "exec"));
  EXPECT_THAT(launch.removal->argv, ElementsAre("podman", "--storage-driver=vfs", "rm", "--force",
                                                "--ignore", "--time", "0", "oriel-1"));
}

TEST(Sandbox, DockerIsRemovedByName) {
  EXPECT_THAT(plan(confined(SandboxKind::kDocker)).removal->argv,
              ElementsAre("docker", "rm", "--force", "oriel-1"));
}

TEST(Sandbox, ShowsWhatPeopleSendToBeReadOnly) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.uploads = "/data/uploads/ses_1";
  const std::string all = fmt::format("{}", fmt::join(plan(spec).command.argv, " "));
  EXPECT_THAT(all, HasSubstr("--chdir /srv/work --ro-bind /data/uploads/ses_1 "
                             "/data/uploads/ses_1 --extra"));
  for (const SandboxKind kind : {SandboxKind::kPodman, SandboxKind::kDocker}) {
    spec.sandbox = kind;
    EXPECT_THAT(plan(spec).command.argv,
                Contains("type=bind,source=/data/uploads/ses_1,target=/uploads,readonly"));
    EXPECT_EQ(uploads_inside(kind, spec.uploads), "/uploads");
  }
  EXPECT_EQ(uploads_inside(SandboxKind::kNone, spec.uploads), "/data/uploads/ses_1");
  EXPECT_EQ(uploads_inside(SandboxKind::kBubblewrap, spec.uploads), "/data/uploads/ses_1");
}

TEST(Sandbox, TellsTheAgentWhereItsWorkspaceIs) {
  EXPECT_EQ(workspace_inside(SandboxKind::kNone, "/srv/work"), "/srv/work");
  EXPECT_EQ(workspace_inside(SandboxKind::kBubblewrap, "/srv/work"), "/srv/work");
  EXPECT_EQ(workspace_inside(SandboxKind::kPodman, "/srv/work"), "/workspace");
  EXPECT_EQ(workspace_inside(SandboxKind::kDocker, "/srv/work"), "/workspace");
}

}  // namespace
}  // namespace oriel
