#include "cli/hooks/hook_parent.h"

#include <gtest/gtest.h>

#include <map>
#include <unistd.h>

namespace oriel {
namespace {

using Processes = std::map<pid_t, CalledProcess>;

LookAtProcess among(Processes processes) {
  return [processes = std::move(processes)](pid_t pid) -> std::optional<CalledProcess> {
    const auto found = processes.find(pid);
    if (found == processes.end()) return std::nullopt;
    return found->second;
  };
}

TEST(HookParent, IsTheAgentItself) {
  EXPECT_EQ(behind_shells(7, among({{7, {.parent = 5, .words = {"/usr/bin/claude"}}}})), 7);
}

TEST(HookParent, SkipsTheShellsThatRunTheHook) {
  const auto look = among({{9, {.parent = 8, .words = {"bash", "-lc", "oriel hook"}}},
                           {8, {.parent = 7, .words = {"/bin/sh", "-c", "oriel hook"}}},
                           {7, {.parent = 5, .words = {"claude", "-c"}}},
                           {5, {.parent = 1, .words = {"-bash"}}}});
  EXPECT_EQ(behind_shells(9, look), 7);
}

TEST(HookParent, DoesNotSkipAnInteractiveShell) {
  EXPECT_EQ(behind_shells(5, among({{5, {.parent = 4, .words = {"bash", "--norc"}}}})), 5);
  EXPECT_EQ(behind_shells(5, among({{5, {.parent = 4, .words = {"-zsh"}}}})), 5);
}

TEST(HookParent, StopsAtAnExitedProcessOrAnOrphan) {
  EXPECT_EQ(behind_shells(9, among({})), 9);
  EXPECT_EQ(behind_shells(9, among({{9, {.parent = 1, .words = {"sh", "-c", "x"}}}})), 9);
  EXPECT_EQ(behind_shells(9, among({{9, {.parent = 9, .words = {"sh", "-c", "x"}}}})), 9);
}

TEST(HookParent, ProcShowsThisProgram) {
  EXPECT_EQ(agent_behind(::getpid()), ::getpid());
}

}  // namespace
}  // namespace oriel
