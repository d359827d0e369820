// An agent that tries to get out of its sandbox. The same attempts succeed without one.

#include "agent/sandbox/confined_testing.h"
#include "agent/sandbox/local_service_testing.h"
#include "agent/sandbox/podman_testing.h"
#include "posix/cgroup.h"
#include "posix/file_descriptor.h"
#include "posix/process_marker.h"

#include <linux/keyctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstring>

namespace oriel {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A variable of this process until the end of the test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }

  ~ScopedVariable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// Listens in the abstract namespace, where there are no file permissions.
FileDescriptor listen_abstract(const std::string& name) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(socket.get(), 4) != 0)
    throw std::runtime_error("cannot listen");
  return socket;
}

// A key of this user, in a new session keyring of this thread; 0 where the kernel has none for us.
long add_key_of_ours() {
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0) return 0;
  const long key = ::syscall(SYS_add_key, "user", "oriel-test", "secret", std::size_t{6},
                             KEY_SPEC_SESSION_KEYRING);
  return key < 0 ? 0 : key;
}

// An agent among things that it must not reach.
class Attempts : public BubblewrapTest {
 protected:
  Attempts() {
    playground_.add("home/.ssh/id", "key");
    playground_.add("home/.gnupg/ring", "key");
    playground_.add("home/.aws/credentials", "key");
    playground_.add("home/.agent/login", "its own");
    playground_.add("data/tokens.json", "{}");
    playground_.add("data/journal.db", "events");
    playground_.add("data/workspaces/other/secret", "x");
  }

  // Bash, with the functions that the attempts use.
  AgentSpec agent(const std::string& text, SandboxKind sandbox = SandboxKind::kBubblewrap) {
    AgentSpec spec = script(kFunctions + text);
    spec.command.front() = "/bin/bash";
    spec.sandbox = sandbox;
    spec.sandbox_init = ORIEL_SANDBOX_INIT;
    if (sandbox == SandboxKind::kPodman) {
      PodmanStore::instance().contain(spec);
      spec.sandbox_read = {"/bin", "/lib", "/lib64", "/usr"};  // bash and perl
    }
    spec.home_paths = {".agent/"};
    spec.hidden = {playground_ / "data"};
    spec.own_directory = own_workspace_;
    spec.env = {{"P", playground_.path().string()},
                {"OWN", own_workspace_},
                {"OUR_PID", std::to_string(::getpid())},
                {"SERVICE", std::to_string(service_.port())},
                {"ABSTRACT", abstract_name_},
                {"KEY", std::to_string(key_)},
                {"SYS_CLONE", std::to_string(SYS_clone)},
                {"SYS_KEYCTL", std::to_string(SYS_keyctl)}};
    return spec;
  }

  // The names of the attempts that succeed, and what else the script says.
  std::string said_by(const AgentSpec& spec) {
    const Ending ending = run_to_end(spec, own_workspace_);
    EXPECT_EQ(ending.refusal, "");
    EXPECT_EQ(ending.exit.describe(), "exited with code 0");
    return ending.said;
  }

  static constexpr const char* kFunctions = R"sh(
try() { local name=$1; shift; if "$@" >/dev/null 2>&1; then echo "say $name"; fi; }
connects() { (exec 3<>/dev/tcp/$1/$2) 2>/dev/null; }
abstract() {
  perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0);
    exit(!connect(S, pack("S a*", AF_UNIX, "\0" . $ENV{ABSTRACT})))'
}
read_key() { perl -e '$ENV{KEY} && exit(syscall($ENV{SYS_KEYCTL} + 0, 11, $ENV{KEY} + 0, $text = "x" x 99, 99) < 0); exit 1'; }
proxied() {  # the status of a tunnel
  exec 3<>/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}
  printf 'CONNECT %s HTTP/1.1\r\n\r\n' "$1" >&3
  read -r version status rest <&3
  exec 3>&-
  echo "say $1 $status"
}
)sh";

  std::string abstract_name_ = "oriel-test-" + std::to_string(::getpid());
  FileDescriptor abstract_ = listen_abstract(abstract_name_);
  LocalService service_;
  long key_ = add_key_of_ours();
  std::string own_workspace_ = playground_.make("data/workspaces/own");
  ScopedVariable home_{"HOME", playground_.make("home")};
};

using Escape = Attempts;

// The same attempts in each sandbox.
class InEachSandbox : public Attempts, public testing::WithParamInterface<SandboxKind> {
 protected:
  void SetUp() override {
    if (GetParam() == SandboxKind::kBubblewrap) return Attempts::SetUp();
    const std::string& problem = PodmanStore::instance().problem();
    if (!problem.empty()) GTEST_SKIP() << problem;
  }

  AgentSpec confined(const std::string& text) { return agent(text, GetParam()); }

  bool is_in_podman() const { return GetParam() == SandboxKind::kPodman; }
};

class R_SANDBOX_1 : public InEachSandbox {};

class R_SANDBOX_2 : public InEachSandbox {};

class R_SANDBOX_3 : public InEachSandbox {};

class R_SANDBOX_4 : public InEachSandbox {};

std::string name_of_sandbox(const testing::TestParamInfo<SandboxKind>& test) {
  return std::string(name_of(test.param));
}

constexpr auto kBothSandboxes = {SandboxKind::kBubblewrap, SandboxKind::kPodman};
INSTANTIATE_TEST_SUITE_P(Each, R_SANDBOX_1, testing::ValuesIn(kBothSandboxes), name_of_sandbox);
INSTANTIATE_TEST_SUITE_P(Each, R_SANDBOX_2, testing::ValuesIn(kBothSandboxes), name_of_sandbox);
INSTANTIATE_TEST_SUITE_P(Each, R_SANDBOX_3, testing::ValuesIn(kBothSandboxes), name_of_sandbox);
INSTANTIATE_TEST_SUITE_P(Each, R_SANDBOX_4, testing::ValuesIn(kBothSandboxes), name_of_sandbox);

constexpr const char* kFileAttempts = R"sh(
try ssh cat $P/home/.ssh/id
try gnupg cat $P/home/.gnupg/ring
try aws cat $P/home/.aws/credentials
try tokens cat $P/data/tokens.json
try journal cat $P/data/journal.db
try other-workspace cat ../other/secret
try siblings test -e ../other
try parent-root cat /proc/$PPID/root$P/home/.ssh/id
try our-process kill -0 $OUR_PID
try our-environment cat /proc/$OUR_PID/environ
try user-home ls $P/home/.ssh
)sh";

TEST_F(Escape, WithoutASandboxTheFilesAreThere) {
  const std::string said = said_by(agent(kFileAttempts, SandboxKind::kNone));
  EXPECT_EQ(said,
            "ssh|gnupg|aws|tokens|journal|other-workspace|siblings|parent-root|"
            "our-process|our-environment|user-home|");
}

TEST_P(R_SANDBOX_1, NoFileOfOursOrOthersIsThere) {
  EXPECT_EQ(said_by(confined(std::string(kFileAttempts) + R"sh(
try init-root cat /proc/1/root$P/home/.ssh/id
mkdir -p $P/data; echo forged >$P/data/tokens.json  # in a directory of its own
)sh")),
            "");
  std::ifstream tokens(playground_ / "data/tokens.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(tokens), {}), "{}");
}

TEST_F(Escape, ItsOwnSettingsWorkspaceAndTemporaryFilesAre) {
  EXPECT_EQ(said_by(agent("echo say $(cat ~/.agent/login); echo new >~/.agent/more;"
                          "echo say $(ls -A ~); echo made >here; try tmp touch /tmp/x /var/tmp/x")),
            "its own|.agent|tmp|");
  EXPECT_TRUE(std::filesystem::exists(playground_ / "home/.agent/more"));
  EXPECT_TRUE(std::filesystem::exists(own_workspace_ + "/here"));
}

// An agent that Oriel knows, with a part of the home of its own.
class KnownEscape : public Escape {
 protected:
  KnownEscape() {
    playground_.add("home/.agent/settings.json", "mine");
    playground_.add("home/.agent/hooks/before", "hook");
    playground_.add("home/.agent/sessions/other", "what others said");
    playground_.add("home/.agent.json", "servers");
  }

  AgentSpec known(const std::string& text, const std::string& session = "ses_1") {
    AgentSpec spec = agent(text);
    spec.home_paths = {};
    spec.home_parts = {{".agent", HomeAccess::kPrivate},
                       {".agent.json", HomeAccess::kCopied},
                       {".agent/settings.json", HomeAccess::kCopied},
                       {".agent/login", HomeAccess::kLogin},
                       {".agent/hooks", HomeAccess::kReadOnly}};
    spec.private_home = playground_ / "data/homes" / session;
    return spec;
  }

  std::string text_of(const std::string& path) {
    std::ifstream file(playground_ / path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    return text;
  }
};

class R_SANDBOX_6 : public KnownEscape {};

TEST_F(R_SANDBOX_6, WhatOtherRunsExecuteCannotBeChanged) {
  EXPECT_EQ(said_by(known(R"sh(
echo say $(cat ~/.agent/settings.json ~/.agent.json ~/.agent/hooks/before)
for file in ~/.agent/settings.json ~/.agent.json ~/.agent/settings.local.json; do echo planted >$file; done
try hook sh -c 'echo planted >>~/.agent/hooks/before'
try new-hook touch ~/.agent/hooks/after
try move-hooks mv ~/.agent/hooks ~/.agent/old
try move-all mv ~/.agent ~/.old
)sh")),
            "mineservershook|");
  EXPECT_EQ(text_of("home/.agent/settings.json"), "mine");
  EXPECT_EQ(text_of("home/.agent.json"), "servers");
  EXPECT_EQ(text_of("home/.agent/hooks/before"), "hook");
  EXPECT_FALSE(std::filesystem::exists(playground_ / "home/.agent/settings.local.json"));
  EXPECT_EQ(said_by(known("echo say $(cat ~/.agent/settings.json)")), "mine|") << "at each start";
}

TEST_F(R_SANDBOX_6, TranscriptsOfOtherSessionsAreNotThereAndItsOwnAreKept) {
  EXPECT_EQ(said_by(known(R"sh(
try others cat ~/.agent/sessions/other
mkdir ~/.agent/sessions && echo what I said >~/.agent/sessions/own
)sh")),
            "");
  EXPECT_EQ(said_by(known("echo say $(cat ~/.agent/sessions/own)")), "what I said|");
  EXPECT_EQ(said_by(known("try first cat ~/.agent/sessions/own", "ses_2")), "");
  EXPECT_FALSE(std::filesystem::exists(playground_ / "home/.agent/sessions/own"));
}

TEST_F(R_SANDBOX_6, ItsLoginIsRenewedForAll) {
  EXPECT_EQ(said_by(known("echo say $(cat ~/.agent/login); echo renewed >~/.agent/login")),
            "its own|");
  EXPECT_EQ(text_of("home/.agent/login"), "renewed\n");
}

TEST_F(R_SANDBOX_6, ALinkItLeavesLeadsNoCopyElsewhere) {
  said_by(known("rm ~/.agent/settings.json; ln -s $P/home/.ssh/id ~/.agent/settings.json"));
  EXPECT_EQ(said_by(known("echo say $(cat ~/.agent/settings.json)")), "mine|");
  EXPECT_EQ(text_of("home/.ssh/id"), "key");
}

TEST_P(R_SANDBOX_1, AWorkspaceThatBecameALinkIsRefused) {
  std::filesystem::remove(own_workspace_);
  std::filesystem::create_directory_symlink(playground_ / "home", own_workspace_);
  EXPECT_THAT(run_to_end(confined("try ssh cat .ssh/id"), own_workspace_).refusal,
              HasSubstr("leads through a link"));
}

// A launcher that puts a link to the user's home in the place of the workspace, as another agent
// may do between Oriel's check and the start of the sandbox.
TEST_P(R_SANDBOX_1, AWorkspaceThatIsReplacedDuringTheStartIsNotShown) {
  AgentSpec spec = confined("try ssh cat .ssh/id; echo say runs");
  const std::string launcher =
      spec.sandbox_command.empty() ? "bwrap" : spec.sandbox_command.front();
  playground_.add("launcher", "#!/bin/sh\nif mv $OWN $OWN.moved; then ln -s $HOME $OWN; fi\nexec " +
                                  launcher + " \"$@\"\n");
  std::filesystem::permissions(playground_ / "launcher", std::filesystem::perms::owner_all);
  if (spec.sandbox_command.empty()) spec.sandbox_command.emplace_back();
  spec.sandbox_command.front() = playground_ / "launcher";
  const Ending ending = run_to_end(spec, own_workspace_);
  EXPECT_EQ(ending.said, "");
  EXPECT_THAT(ending.exit.describe(), HasSubstr("another directory has taken the place"));
}

TEST_P(R_SANDBOX_1, TheConfigurationInTheWorkspaceIsNeitherReadNorReplaced) {
  playground_.add("data/workspaces/own/oriel.toml", "key");
  AgentSpec spec = confined(R"sh(
try read grep -q key oriel.toml
try remove rm -f oriel.toml
echo 'sandbox = "none"' >other.toml
try replace mv -f other.toml oriel.toml
sh -c 'echo >oriel.toml' 2>/dev/null || true  # in podman into /dev/null, which hides it
)sh");
  spec.hidden_files = {playground_ / "data/workspaces/own/oriel.toml"};
  EXPECT_EQ(said_by(spec), "");
  std::ifstream config(playground_ / "data/workspaces/own/oriel.toml");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(config), {}), "key");
}

constexpr const char* kSystemAttempts = R"sh(
try usr touch /usr/oriel-escaped
try remount mount -o remount,rw /usr
try unmount umount /tmp
try device mknod /tmp/disk b 8 0
try core-pattern sh -c 'cat /proc/sys/kernel/core_pattern >/proc/sys/kernel/core_pattern'
try sysrq sh -c 'echo h >/proc/sysrq-trigger'
try docker test -e /var/run/docker.sock
try runtime test -e /run/user
try init-program sh -c 'echo >>/run/oriel/init'
)sh";

TEST_P(R_SANDBOX_1, TheSystemCannotBeChanged) {
  EXPECT_EQ(said_by(confined(kSystemAttempts)), "");
}

TEST_F(Escape, TheRootOfBubblewrapCannotBeChanged) {
  EXPECT_EQ(said_by(agent("try root touch /escaped; try etc touch /etc/oriel-escaped")), "");
}

constexpr const char* kPrivilegeAttempts = R"sh(
try namespace unshare --user --map-root-user true
try nested-network unshare --user --net true
try nested-clone perl -e 'exit(syscall($ENV{SYS_CLONE} + 0, 0x10000011, 0, 0, 0, 0) < 0)'
try key read_key
try all-keys grep -q oriel-test /proc/keys
)sh";

TEST_F(Escape, WithoutASandboxThereAreNamespacesAndKeys) {
  if (key_ == 0 || !runs("unshare --user --map-root-user true"))
    GTEST_SKIP() << "this process has no keyrings, or no user namespaces";
  EXPECT_EQ(said_by(agent(kPrivilegeAttempts, SandboxKind::kNone)),
            "namespace|nested-network|nested-clone|key|all-keys|");
}

TEST_P(R_SANDBOX_1, ItHasNoPrivilegesAndCannotGainThem) {
  EXPECT_EQ(said_by(confined(std::string(kPrivilegeAttempts) + R"sh(
while read -r name value; do
  case $name in NoNewPrivs:|CapEff:|CapBnd:) echo say $name $value;; esac
done </proc/self/status
)sh")),
            "CapEff: 0000000000000000|CapBnd: 0000000000000000|NoNewPrivs: 1|");
}

TEST_F(Escape, BubblewrapLimitsItsProcesses) {
  EXPECT_EQ(said_by(agent("echo say $(ulimit -u)")), "4096|");
}

// A container has a cgroup with limits, for every user.
class ContainerLimits : public Attempts {
 protected:
  void SetUp() override {
    const std::string& problem = PodmanStore::instance().problem();
    if (!problem.empty()) GTEST_SKIP() << problem;
  }
};

TEST_F(ContainerLimits, AForkBeyondItsLimitOfProcessesFails) {
  AgentSpec spec = agent(R"sh(
perl -e 'while (++$count < 200 && defined($child = fork)) { $child or sleep(600) and exit }
         $| = 1; print "say ", $count < 200 ? "limited" : "unlimited", "\n"; kill 9, -getpgrp' &
wait
)sh",
                         SandboxKind::kPodman);
  spec.max_processes = 32;
  EXPECT_EQ(run_to_end(spec, own_workspace_).said, "limited|");
}

TEST_F(ContainerLimits, MemoryBeyondItsLimitEndsAProcess) {
  AgentSpec spec = agent(
      "perl -e '$x = \"a\" x 300_000_000; print \"say too much\\n\"';"
      " echo say survived",
      SandboxKind::kPodman);
  spec.max_memory = 64 << 20;
  EXPECT_EQ(run_to_end(spec, own_workspace_).said, "survived|");
}

constexpr const char* kNetworkAttempts = R"sh(
try service connects 127.0.0.1 $SERVICE
try localhost connects localhost $SERVICE
try any-address connects 0.0.0.0 $SERVICE
try abstract abstract
)sh";

TEST_F(Escape, WithoutASandboxTheNetworkIsThere) {
  EXPECT_EQ(said_by(agent(kNetworkAttempts, SandboxKind::kNone)),
            "service|localhost|any-address|abstract|");
}

TEST_P(R_SANDBOX_3, NoSocketOfTheHostIsReached) {
  for (const NetworkKind kind : {NetworkKind::kFull, NetworkKind::kNone}) {
    AgentSpec spec = confined(kNetworkAttempts);
    spec.network.kind = kind;
    EXPECT_EQ(said_by(spec), "");
  }
}

TEST_P(R_SANDBOX_3, WithoutANetworkThereIsNoProxy) {
  AgentSpec spec =
      confined("echo say \"[$HTTPS_PROXY$http_proxy]\"; try handover test -e /run/oriel/handover");
  spec.network.kind = NetworkKind::kNone;
  EXPECT_EQ(said_by(spec), "[]|");
}

TEST_P(R_SANDBOX_3, TheProxyLeadsToNoServiceOfThisMachineByAnyName) {
  const std::string said = said_by(confined(R"sh(
for host in 127.0.0.1 localhost 127.1 2130706433 0x7f000001 0.0.0.0 127.9.9.9 '[::1]' '[::ffff:127.0.0.1]' 169.254.169.254; do
  proxied $host:$SERVICE
done
)sh"));
  EXPECT_THAT(said, Not(HasSubstr(" 200|")));
  for (const char* host : {"127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]"})
    EXPECT_THAT(said, HasSubstr(host + (":" + std::to_string(service_.port()) + " 403|")));
}

TEST_P(R_SANDBOX_3, AListReachesWhatItNames) {
  AgentSpec spec = confined(R"sh(
proxied 127.0.0.2:$SERVICE
proxied 127.0.0.1:$SERVICE
exec 4<>/dev/tcp/127.0.0.1/${http_proxy##*:}
printf 'GET http://127.0.0.2:%s/x HTTP/1.1\r\nHost: x\r\n\r\n' $SERVICE >&4
while read -r line; do last=$line; done <&4
echo say $last
)sh");
  spec.network = {.kind = NetworkKind::kList, .allowed = {{"127.0.0.2", service_.port()}}};
  const std::string port = std::to_string(service_.port());
  EXPECT_EQ(said_by(spec), "127.0.0.2:" + port + " 200|127.0.0.1:" + port + " 403|reached|");
}

TEST_P(R_SANDBOX_2, OrielIsNotReachedEvenIfTheListNamesIt) {
  AgentSpec spec = confined("proxied 127.0.0.1:$SERVICE; proxied localhost:$SERVICE");
  spec.network = {.kind = NetworkKind::kList,
                  .allowed = {{"127.0.0.1", service_.port()}, {"localhost", service_.port()}}};
  EXPECT_THAT(said_by(spec), AllOf(HasSubstr(" 200|"), Not(HasSubstr(" 403|"))));
  spec.oriel_port = service_.port();
  EXPECT_THAT(said_by(spec), AllOf(HasSubstr(" 403|"), Not(HasSubstr(" 200|"))));
}

constexpr const char* kAskOriel = R"sh(
ask() {
  exec 4<>/dev/tcp/127.0.0.1/${ORIEL_URL##*:}
  printf 'GET / HTTP/1.1\r\n\r\n' >&4
  while read -r line; do last=$line; done <&4
  echo say $last
}
if [ -n "$ORIEL_URL" ]; then ask; else echo "say no way"; fi
echo "say token $ORIEL_TOKEN"
try service connects 127.0.0.1 $SERVICE
)sh";

TEST_P(R_SANDBOX_2, OrielIsReachedOnlyByAnAgentThatMayAndAlsoWithoutANetwork) {
  AgentSpec spec = confined(kAskOriel);
  spec.oriel_port = service_.port();
  for (const NetworkKind kind : {NetworkKind::kFull, NetworkKind::kNone, NetworkKind::kList}) {
    spec.network.kind = kind;
    spec.allow_oriel = false;
    spec.oriel_token.clear();
    EXPECT_EQ(said_by(spec), "no way|token |");
    spec.allow_oriel = true;
    spec.oriel_token = "oriel_own";
    EXPECT_EQ(said_by(spec), "reached|token oriel_own|");
  }
}

TEST_P(R_SANDBOX_3, TheProxyRefusesWhatItCannotRead) {
  // Of a head that is too long the answer may be lost: the connection ends before it was sent.
  EXPECT_THAT(said_by(confined(R"sh(
trap '' PIPE
ask() { exec 3<>/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}; printf "$1" >&3; read -r version status rest <&3; echo "say $status"; }
ask 'nonsense\r\n\r\n'
ask 'GET / HTTP/1.1\r\n\r\n'
ask "CONNECT $(printf '%040000d' 1):1 HTTP/1.1"'\r\n\r\n' 2>/dev/null
ask 'CONNECT no-such-host.invalid:1 HTTP/1.1\r\n\r\n'
)sh")),
              testing::MatchesRegex("400\\|400\\|(400)?\\|502\\|"));
}

// A number of seconds by which a process is found, wherever it hides.
std::string hidden_sleep() {
  return std::to_string(600'000'000 + ::getpid());
}

std::string command_line_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::string text(std::istreambuf_iterator<char>(file), {});
  return text;
}

std::string survivors() {
  std::string left;
  for (const ProcessInfo& process : list_processes().value())
    if (command_line_of(process.pid).find(hidden_sleep()) != std::string::npos)
      left += std::to_string(process.pid) + " ";
  return left;
}

// Runs the agent while another child of ours runs, so that orphans could belong to either.
asio::awaitable<std::string> hide_from_us(AgentSpec spec, std::string workspace) {
  ProcessSpec sleep{.argv = {"sleep", "600"}, .environment = {}, .directory = "/"};
  const auto shard = co_await asio::this_coro::executor;
  ChildProcess other(shard, spawn(sleep).value());
  const Ending ending = co_await run_agent(std::move(spec), std::move(workspace), hurried());
  EXPECT_EQ(ending.said, "hidden|");
  std::string left = survivors();
  other.signal_group(SIGKILL);
  co_await other.exited();
  other.reap();
  co_return left;
}

std::string hiding() {
  return "for i in 1 2 3; do (setsid env -i bash -c 'trap \"\" TERM HUP; exec 0<&- 1>&- 2>&-;"
         " (setsid env -i sleep " +
         hidden_sleep() + " &) ; sleep " + hidden_sleep() +
         "' &) done; while [ $(cat /proc/[0-9]*/comm | grep -c '^sleep$') -lt 6 ]; do"
         " sleep 0.01; done 2>/dev/null; echo say hidden; echo done; sleep 600";
}

TEST_P(R_SANDBOX_4, NothingSurvivesHoweverItHides) {
  EXPECT_EQ(run_here(hide_from_us(confined(hiding()), own_workspace_)), "");
}

TEST_F(Escape, WithoutASandboxACgroupHoldsWhatHides) {
  if (Cgroup::make(make_marker().value()) == nullptr)
    GTEST_SKIP() << "this process may not make a cgroup";
  EXPECT_EQ(run_here(hide_from_us(agent(hiding(), SandboxKind::kNone), own_workspace_)), "");
}

}  // namespace
}  // namespace oriel
