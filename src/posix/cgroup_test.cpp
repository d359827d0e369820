#include "posix/cgroup.h"

#include "base/temp_directory_testing.h"
#include "posix/child_process.h"
#include "posix/process_marker.h"
#include "posix/process_testing.h"

#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace oriel {
namespace {

TEST(Cgroup, IsFoundInProcFiles) {
  EXPECT_EQ(parse_cgroup_path("9:name=systemd:/\n0::/user.slice/a b\n"), "/user.slice/a b");
  EXPECT_EQ(parse_cgroup_path("9:pids:/\n"), std::nullopt);
  EXPECT_EQ(parse_cgroup_mount("22 1 0:20 / /proc rw - proc proc rw\n"
                               "31 22 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n"),
            "/sys/fs/cgroup");
  EXPECT_EQ(parse_cgroup_mount("31 22 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"),
            std::nullopt);
  EXPECT_EQ(parse_cgroup_mount(""), std::nullopt);
}

TEST(Cgroup, CanLimitMemoryWhereItIsDelegatedAndHoldsNobodyElse) {
  const TempDirectory cgroup;
  EXPECT_FALSE(can_limit_memory({}));
  EXPECT_FALSE(can_limit_memory(cgroup.path())) << "not a cgroup";
  cgroup.add("cgroup.controllers", "cpu memory pids\n");
  cgroup.add("cgroup.subtree_control", "\n");
  cgroup.add("cgroup.procs", std::to_string(::getpid()) + "\n");
  EXPECT_TRUE(can_limit_memory(cgroup.path()));
  cgroup.add("cgroup.procs", "1\n" + std::to_string(::getpid()) + "\n");
  EXPECT_FALSE(can_limit_memory(cgroup.path())) << "a shell is in it, too";
  cgroup.add("cgroup.subtree_control", "memory\n");
  EXPECT_TRUE(can_limit_memory(cgroup.path())) << "it is enabled already";
  cgroup.add("cgroup.subtree_control", "cpu\n");
  cgroup.add("cgroup.procs", "");
  EXPECT_TRUE(can_limit_memory(cgroup.path())) << "this process has moved";
  cgroup.add("cgroup.controllers", "cpu memory_other\n");
  EXPECT_FALSE(can_limit_memory(cgroup.path()));
}

TEST(Cgroup, IsLimitedOnlyWhereTheControllerIsEnabled) {
  const TempDirectory cgroup;
  EXPECT_FALSE(limit_memory(cgroup.path(), 4096));
  EXPECT_FALSE(limit_processes(cgroup.path(), 10));
  EXPECT_FALSE(std::filesystem::exists(cgroup / "memory.max"));
  const auto written = [&](const char* name) {
    std::ifstream file(cgroup / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  cgroup.add("memory.max", "");
  cgroup.add("pids.max", "");
  EXPECT_TRUE(limit_memory(cgroup.path(), 4096));
  EXPECT_TRUE(limit_processes(cgroup.path(), 10));
  EXPECT_EQ(written("memory.max"), "4096");
  EXPECT_EQ(written("pids.max"), "10");
}

// Starts a shell in the cgroup whose daemon has left its parent, session and environment, and ends
// the cgroup. Returns whether the daemon has ended.
asio::awaitable<bool> end_daemon(std::string marker) {
  const std::unique_ptr<Cgroup> cgroup = Cgroup::make(marker);
  ProcessSpec command{
      .argv = {"sh", "-c", "setsid env -i sh -c 'echo $$; exec sleep 600 >&- 2>&-' & wait"},
      .environment = {{"PATH", "/usr/bin:/bin"}},
      .directory = "/",
      .cgroup = cgroup->path()};
  ChildProcess shell(co_await asio::this_coro::executor, spawn(command).value());
  std::string line(64, '\0');
  const auto buffer = asio::buffer(line);
  const auto [ec, size] = co_await shell.output().async_read_some(buffer, kNoThrow);
  const pid_t daemon = std::stoi(line.substr(0, size));
  EXPECT_TRUE(look_up(daemon));
  const bool is_empty = co_await cgroup->end(std::chrono::seconds(10));
  EXPECT_TRUE(is_empty);
  co_await shell.exited();
  shell.reap();
  const auto left = look_up(daemon);
  reap_orphans();
  co_return !left || left->has_ended();
}

TEST(Cgroup, EndsWhatHasLeftEverythingElse) {
  const std::string marker = make_marker().value();
  if (Cgroup::make(marker) == nullptr) GTEST_SKIP() << "this process may not make a cgroup";
  EXPECT_TRUE(run_here(end_daemon(marker)));
  EXPECT_FALSE(std::filesystem::exists(agent_cgroups() / marker));
}

TEST(Cgroup, OfAnOrielThatIsGoneIsEmptiedAndRemoved) {
  const std::string marker = make_marker().value();
  const std::size_t end = marker.rfind('-');
  const auto abandoned = Cgroup::make(marker.substr(0, end) + "1" + marker.substr(end));
  if (abandoned == nullptr) GTEST_SKIP() << "this process may not make a cgroup";
  const auto ours = Cgroup::make(marker);
  end_abandoned();
  EXPECT_FALSE(std::filesystem::exists(abandoned->path()));
  EXPECT_TRUE(std::filesystem::exists(ours->path()));
}

}  // namespace
}  // namespace oriel
