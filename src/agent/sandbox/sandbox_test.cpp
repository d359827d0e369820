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
  spec.unsafe_sandbox_options = {"--extra"};
  spec.home_paths = {".droid/"};
  return spec;
}

const SandboxHost kHost{.init = "/opt/oriel/oriel-sandbox-init",
                        .handover = "/tmp/oriel-proxy-1/handover",
                        .program_files = {show("/home/ann/bin/droid")},
                        .workspace_identity = "7:42",
                        .masked = {"/proc/keys"}};

Launch plan(const AgentSpec& spec, const SandboxHost& host = kHost) {
  return plan_launch(spec, {"droid", "exec"}, "/srv/work", kServerEnvironment, "oriel-1", host);
}

std::string words(const Launch& launch) {
  return fmt::format("{}", fmt::join(launch.command.argv, " "));
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

TEST(Sandbox, BubblewrapShowsTheSystemThePartOfTheHomeTheProgramAndTheWorkspace) {
  const Launch launch = plan(confined(SandboxKind::kBubblewrap));
  EXPECT_EQ(
      words(launch),
      "bwrap --die-with-parent --new-session --unshare-user --disable-userns --unshare-pid "
      "--unshare-ipc --unshare-uts --unshare-net --unshare-cgroup-try --cap-drop ALL --dev /dev "
      "--proc /proc "
      "--ro-bind-try /bin /bin --ro-bind-try /etc /etc --ro-bind-try /gnu/store /gnu/store "
      "--tmpfs /home/ann --bind-try /home/ann/.droid/ /home/ann/.droid "
      "--ro-bind /home/ann/bin/droid /home/ann/bin/droid "
      "--ro-bind-try /lib /lib --ro-bind-try /lib32 /lib32 --ro-bind-try /lib64 /lib64 "
      "--ro-bind-try /libx32 /libx32 --ro-bind-try /nix/store /nix/store "
      "--ro-bind-try /opt /opt --ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/irq /proc/irq "
      "--ro-bind /dev/null /proc/keys "
      "--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger "
      "/proc/sysrq-trigger --bind /tmp/oriel-proxy-1/handover /run/oriel/handover "
      "--ro-bind /opt/oriel/oriel-sandbox-init /run/oriel/init "
      "--ro-bind-try /sbin /sbin --bind /srv/work /srv/work --tmpfs /tmp "
      "--ro-bind-try /usr /usr --tmpfs /var/tmp --remount-ro / --chdir /srv/work --extra -- "
      "/run/oriel/init --workspace 7:42 --proxy /run/oriel/handover --max-processes 4096 -- droid "
      "exec");
  EXPECT_TRUE(launch.is_wrapped);
}

TEST(Sandbox, BubblewrapWithoutANetworkHasNoProxy) {
  const Launch launch =
      plan(confined(SandboxKind::kBubblewrap), {.init = "/i", .handover = {}, .program_files = {}});
  EXPECT_THAT(words(launch), Not(HasSubstr("handover")));
  EXPECT_THAT(words(launch), HasSubstr("-- /run/oriel/init --max-processes 4096 -- droid exec"));
}

TEST(Sandbox, OnlyAnAgentThatMayReachOrielGetsAWayThere) {
  SandboxHost host = kHost;
  host.oriel_handover = "/tmp/oriel-proxy-2/handover";
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  EXPECT_THAT(words(plan(spec)), Not(HasSubstr("--oriel-http")));
  EXPECT_THAT(words(plan(spec, host)),
              AllOf(HasSubstr(" --bind /tmp/oriel-proxy-2/handover /run/oriel/oriel "),
                    HasSubstr(" --oriel-http /run/oriel/oriel ")));
  spec.oriel_uses_tls = true;
  EXPECT_THAT(words(plan(spec, host)), HasSubstr(" --oriel-https /run/oriel/oriel "));
  spec = confined(SandboxKind::kPodman);
  spec.oriel_token = "oriel_own";
  const Launch launch = plan(spec, host);
  EXPECT_THAT(
      words(launch),
      AllOf(HasSubstr(
                " --mount type=bind,source=/tmp/oriel-proxy-2/handover,target=/run/oriel/oriel "),
            HasSubstr(" --oriel-http /run/oriel/oriel -- "), HasSubstr(" --env ORIEL_TOKEN "),
            Not(HasSubstr("oriel_own"))));
  EXPECT_THAT(launch.command.environment, Contains(Pair("ORIEL_TOKEN", "oriel_own")));
}

TEST(Sandbox, BubblewrapSharesAHomeThatIsTheAgentsAlone) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.home = "/srv/home";
  const Launch launch = plan(spec);
  EXPECT_THAT(words(launch), HasSubstr("--bind /srv/home /srv/home"));
  EXPECT_THAT(words(launch), Not(HasSubstr(".droid")));
  EXPECT_THAT(launch.command.environment, Contains(Pair("HOME", "/srv/home")));
  spec.home = "/home/ann";  // the user's own is not
  EXPECT_THAT(words(plan(spec)), HasSubstr("--tmpfs /home/ann --bind-try /home/ann/.droid/"));
}

TEST(Sandbox, BubblewrapDoesNotOpenTheWholeSystemAsAHome) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.home = "/";
  EXPECT_THAT(words(plan(spec)), Not(HasSubstr("bind / /")));
}

TEST(Sandbox, AHiddenDirectoryIsEmptyButForTheSessionsOwn) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.hidden = {"/opt/oriel/data", "/var/lib/oriel"};
  spec.uploads = "/opt/oriel/data/uploads/ses_1";
  const Launch launch = plan_launch(spec, {"droid"}, "/opt/oriel/data/workspaces/ses_1",
                                    kServerEnvironment, "oriel-1", kHost);
  EXPECT_THAT(words(launch),
              HasSubstr("--ro-bind-try /opt /opt --tmpfs /opt/oriel/data --ro-bind "
                        "/opt/oriel/data/uploads/ses_1 /opt/oriel/data/uploads/ses_1 --bind "
                        "/opt/oriel/data/workspaces/ses_1 /opt/oriel/data/workspaces/ses_1"));
  EXPECT_THAT(words(launch), Not(HasSubstr("/var/lib/oriel")));  // it is not there anyway
}

TEST(Sandbox, TheSocketOfOrielIsMaskedWhereItWouldBeSeen) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.oriel_socket = "/opt/oriel.sock";
  EXPECT_THAT(words(plan(spec)),
              HasSubstr("--ro-bind-try /opt /opt --ro-bind /dev/null /opt/oriel.sock"));
  spec.hidden = {"/opt"};  // with all that is in it
  EXPECT_THAT(words(plan(spec)), Not(HasSubstr("oriel.sock")));
  spec.oriel_socket = "/run/oriel.sock";  // it is not there anyway
  EXPECT_THAT(words(plan(spec)), Not(HasSubstr("oriel.sock")));
}

TEST(Sandbox, NothingThatHoldsTheSocketOfOrielMayBeShown) {
  AgentSpec spec = confined(SandboxKind::kPodman);
  spec.oriel_socket = "/srv/run/oriel.sock";
  const auto exposed = [&](const char* workspace) {
    return find_exposure(spec, workspace, kServerEnvironment).string();
  };
  EXPECT_EQ(exposed("/srv/run"), "/srv/run");
  EXPECT_EQ(exposed("/srv/work"), "");
  spec.sandbox_read = {"/srv/run/oriel.sock"};
  EXPECT_EQ(exposed("/srv/work"), "/srv/run/oriel.sock");
  spec.sandbox_read = {};
  spec.home = "/srv";
  EXPECT_EQ(exposed("/srv/work"), "/srv");
}

TEST(Sandbox, ConfigurationAndKeysAreMaskedWhereTheyWouldBeSeen) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.hidden_files = {"/etc/ssl/private/oriel.key", "/srv/work/oriel.toml", "/root/oriel.toml"};
  EXPECT_THAT(words(plan(spec)), AllOf(HasSubstr("--ro-bind /dev/null /etc/ssl/private/oriel.key"),
                                       HasSubstr("--bind /srv/work /srv/work --ro-bind /dev/null "
                                                 "/srv/work/oriel.toml"),
                                       Not(HasSubstr("/root"))));
  spec.sandbox = SandboxKind::kPodman;
  EXPECT_THAT(words(plan(spec)), HasSubstr("--mount type=bind,source=/dev/null,target=/workspace/"
                                           "oriel.toml,readonly"));
}

TEST(Sandbox, AConfigurationThatCannotBeMaskedIsNotShown) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.hidden_files = {"/srv/work/conf/oriel.toml"};
  const auto exposed = [&](const char* workspace) {
    return find_exposure(spec, workspace, kServerEnvironment).string();
  };
  EXPECT_EQ(exposed("/srv/work"), "/srv/work");  // its directory could be replaced
  EXPECT_EQ(exposed("/srv/work/conf"), "");
  EXPECT_EQ(exposed("/srv/other"), "");
  spec.sandbox = SandboxKind::kPodman;
  spec.sandbox_read = {"/srv/work/conf"};
  EXPECT_EQ(exposed("/srv/other"), "/srv/work/conf");
}

TEST(Sandbox, PartsOfTheHomeWithoutAPlaceAreInMemory) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.home_paths = {};
  spec.home_parts = {{".droid", HomeAccess::kPrivate}, {".droid/set.json", HomeAccess::kCopied}};
  EXPECT_THAT(words(plan(spec)),
              HasSubstr("--tmpfs /home/ann --tmpfs /home/ann/.droid --ro-bind-try "
                        "/home/ann/.droid/set.json /home/ann/.droid/set.json"));
}

TEST(Sandbox, NothingThatHoldsTheHomeOrOrielsDataMayBeShown) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.hidden = {"/srv/oriel"};
  const auto exposed = [&](const char* workspace) {
    return find_exposure(spec, workspace, kServerEnvironment).string();
  };
  for (const char* workspace : {"/", "/home", "/home/ann", "/home/ann/", "/srv", "/srv/oriel"})
    EXPECT_EQ(exposed(workspace), workspace);
  for (const char* workspace : {"/home/ann/work", "/srv/work"})
    EXPECT_EQ(exposed(workspace), "");
  spec.sandbox_read = {"/home"};
  EXPECT_EQ(exposed("/srv/work"), "/home");
  spec.sandbox_read = {};
  spec.sandbox_write = {"/srv/"};
  EXPECT_EQ(exposed("/srv/work"), "/srv/");
}

TEST(R_SANDBOX_1_Exposure, NothingInOrielsDataMayBeShownButTheSessionsOwnDirectory) {
  for (const SandboxKind kind : {SandboxKind::kBubblewrap, SandboxKind::kPodman}) {
    AgentSpec spec = confined(kind);
    spec.hidden = {"/srv/oriel"};
    spec.own_directory = "/srv/oriel/workspaces/ses_1";
    const auto exposed = [&](const char* workspace) {
      return find_exposure(spec, workspace, kServerEnvironment).string();
    };
    for (const char* workspace :
         {"/srv/oriel/workspaces", "/srv/oriel/workspaces/", "/srv/oriel/homes",
          "/srv/oriel/workspaces/ses_2", "/srv/oriel/workspaces/ses_10", "/srv/oriel/uploads/x"})
      EXPECT_EQ(exposed(workspace), workspace);
    for (const char* workspace :
         {"/srv/oriel/workspaces/ses_1", "/srv/oriel/workspaces/ses_1/src", "/srv/oriel-2"})
      EXPECT_EQ(exposed(workspace), "");
    spec.sandbox_read = {"/srv/oriel/workspaces"};
    EXPECT_EQ(exposed("/srv/work"), "/srv/oriel/workspaces");
    spec.sandbox_read = {};
    spec.sandbox_write = {"/srv/oriel/homes/"};
    EXPECT_EQ(exposed("/srv/work"), "/srv/oriel/homes/");
    spec.sandbox_write = {};
    spec.home = "/srv/oriel/homes/ses_2";
    EXPECT_EQ(exposed("/srv/work"), spec.home);
    spec.home.clear();
    spec.own_directory.clear();
    EXPECT_EQ(exposed("/srv/oriel/workspaces/ses_1"), "/srv/oriel/workspaces/ses_1");
  }
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
  EXPECT_EQ(
      words(launch),
      "podman --storage-driver=vfs run --rm --interactive --init --name oriel-1 "
      "--network=none --cap-drop=all --security-opt=no-new-privileges --workdir /workspace "
      "--pids-limit=4096 --log-driver passthrough "
      "--mount type=bind,source=/srv/work,target=/workspace "
      "--mount type=bind,source=/srv/home,target=/home/agent "
      "--mount type=bind,source=/opt/oriel/oriel-sandbox-init,target=/run/oriel/init,readonly "
      "--mount type=bind,source=/tmp/oriel-proxy-1/handover,target=/run/oriel/handover "
      "--env HOME=/home/agent --env MODEL_KEY --env NO_COLOR --env ORIEL_AGENT_ID=oriel-1 "
      "--env TERM --extra droid:1 /run/oriel/init --workspace 7:42 --proxy /run/oriel/handover -- "
      "droid exec");
  EXPECT_THAT(launch.removal->argv, ElementsAre("podman", "--storage-driver=vfs", "rm", "--force",
                                                "--ignore", "--time", "0", "oriel-1"));
}

TEST(Sandbox, AContainerLimitsItsMemoryIfThereIsALimit) {
  for (const SandboxKind kind : {SandboxKind::kPodman, SandboxKind::kDocker}) {
    AgentSpec spec = confined(kind);
    EXPECT_THAT(words(plan(spec)), Not(HasSubstr("--memory")));
    spec.max_memory = 4ULL << 30;
    EXPECT_THAT(words(plan(spec)), HasSubstr(" --memory=4294967296 "));
  }
}

TEST(Sandbox, DockerIsRemovedByName) {
  EXPECT_THAT(plan(confined(SandboxKind::kDocker)).removal->argv,
              ElementsAre("docker", "rm", "--force", "oriel-1"));
}

TEST(Sandbox, ShowsWhatPeopleSendToBeReadOnly) {
  AgentSpec spec = confined(SandboxKind::kBubblewrap);
  spec.uploads = "/data/uploads/ses_1";
  EXPECT_THAT(words(plan(spec)), HasSubstr("--ro-bind /data/uploads/ses_1 /data/uploads/ses_1 "));
  for (const SandboxKind kind : {SandboxKind::kPodman, SandboxKind::kDocker}) {
    spec.sandbox = kind;
    EXPECT_THAT(plan(spec).command.argv,
                Contains("type=bind,source=/data/uploads/ses_1,target=/uploads,readonly"));
    EXPECT_EQ(uploads_inside(kind, spec.uploads), "/uploads");
  }
  EXPECT_EQ(uploads_inside(SandboxKind::kNone, spec.uploads), "/data/uploads/ses_1");
  EXPECT_EQ(uploads_inside(SandboxKind::kBubblewrap, spec.uploads), "/data/uploads/ses_1");
}

TEST(Sandbox, AContainerMountsAPathWithAComma) {
  AgentSpec spec = confined(SandboxKind::kPodman);
  spec.uploads = "/data/a,b";
  spec.sandbox_read = {"/srv/c\"d"};
  const Launch launch =
      plan_launch(spec, {"droid"}, "/srv/a,b", kServerEnvironment, "oriel-1", kHost);
  EXPECT_THAT(words(launch), AllOf(HasSubstr("--volume /srv/a,b:/workspace "),
                                   HasSubstr("--volume /data/a,b:/uploads:ro "),
                                   HasSubstr("--volume /srv/c\"d:/srv/c\"d:ro ")));
}

TEST(Sandbox, NamesTheWorkspaceAsTheAgentSeesIt) {
  EXPECT_EQ(workspace_inside(SandboxKind::kNone, "/srv/work"), "/srv/work");
  EXPECT_EQ(workspace_inside(SandboxKind::kBubblewrap, "/srv/work"), "/srv/work");
  EXPECT_EQ(workspace_inside(SandboxKind::kPodman, "/srv/work"), "/workspace");
  EXPECT_EQ(workspace_inside(SandboxKind::kDocker, "/srv/work"), "/workspace");
}

}  // namespace
}  // namespace oriel
