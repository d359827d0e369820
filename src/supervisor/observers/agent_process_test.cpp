#include "supervisor/observers/agent_process.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const WallTime kHeard{seconds(1'794'000'000)};

ProcessInfo process_of(pid_t pid, std::uint64_t start_time) {
  ProcessInfo process;
  process.pid = pid;
  process.start_time = start_time;
  return process;
}

TEST(AgentProcess, ThisOneIsAliveAndNoneIsUnknown) {
  AgentProcess process;
  EXPECT_TRUE(AgentProcess::is_here(::getpid()));
  EXPECT_EQ(process.look(::getpid(), wall_now()), Liveness::kAlive);
  EXPECT_EQ(process.look(std::nullopt, wall_now()), Liveness::kUnknown);
}

TEST(AgentProcess, OneThatIsNotThereIsGone) {
  AgentProcess process;
  EXPECT_FALSE(AgentProcess::is_here(999'999'999));
  EXPECT_EQ(process.look(999'999'999, wall_now()), Liveness::kGone);
}

TEST(AgentProcess, OneThatBeganAfterTheHookHasOnlyGotItsNumber) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 100), kHeard + hours(1), kHeard), Liveness::kGone);
  EXPECT_EQ(process.judge(process_of(7, 50), kHeard - hours(1), kHeard), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(7, 100), kHeard - seconds(1), kHeard), Liveness::kGone);
}

TEST(AgentProcess, AClockThatIsSetEndsNobodyWhoIsKnown) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 50), kHeard - hours(1), kHeard), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(7, 50), kHeard + hours(9), kHeard), Liveness::kAlive);
}

TEST(AgentProcess, AnotherNumberOfAResumedAgentIsLookedAtAnew) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 50), kHeard - hours(1), kHeard), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(9, 90), kHeard, kHeard + hours(1)), Liveness::kAlive);
}

}  // namespace
}  // namespace oriel
