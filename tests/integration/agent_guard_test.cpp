// A server that is killed leaves no process behind, without a restart.

#include "deadline.h"
#include "hosted_fixture.h"
#include "processes.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <charconv>
#include <csignal>

namespace oriel {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr Milliseconds kGuardLimit{2000};

std::vector<pid_t> guards_of(const ServerProcess& server) {
  std::vector<pid_t> guards;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid > 0 && parent_of(pid) == server.pid() &&
        read_file(entry.path() / "comm") == "oriel-guard\n")
      guards.push_back(pid);
  }
  return guards;
}

// A zombie is not: its parent may never reap it.
bool is_running(pid_t pid) {
  const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  return !stat.empty() && stat.find(") Z ") == stat.npos;
}

// What the agents of a fixture's server are started with.
std::string mark_of(const HostedFixture& fixture) {
  return "HOME=" + (fixture.data().parent_path() / "home").string();
}

TEST(AgentGuard, EndsWhatAgentsOfAKilledServerLeftWithinTwoSeconds) {
  HostedFixture fixture;
  HostedFixture other;
  SessionClient session(fixture.server(), fixture.request());
  SessionClient other_session(other.server(), other.request());
  session.task("stray");
  other_session.task("stray");
  const std::size_t others = processes_with(mark_of(other)).size();
  EXPECT_THAT(processes_with(mark_of(fixture)), Not(IsEmpty()));
  const std::vector<pid_t> guards = guards_of(fixture.server());
  ASSERT_THAT(guards, SizeIs(1));
  ::kill(guards.front(), SIGTERM);  // as a service manager does

  fixture.server().kill();
  const auto is_clean = [&] {
    return processes_with(mark_of(fixture)).empty() && !is_running(guards.front());
  };
  EXPECT_TRUE(eventually(is_clean, kGuardLimit))
      << describe_processes(processes_with(mark_of(fixture)));
  EXPECT_THAT(processes_with(mark_of(other)), SizeIs(others));
}

TEST(AgentGuard, EndsWithItsServer) {
  HostedFixture fixture;
  const std::vector<pid_t> guards = guards_of(fixture.server());
  ASSERT_THAT(guards, SizeIs(1));
  fixture.server().signal(SIGTERM);
  EXPECT_EQ(fixture.server().wait_exit(kPatience), 0);
  EXPECT_FALSE(is_running(guards.front()));
}

}  // namespace
}  // namespace oriel
