#include "supervisor/observers/agent_process.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const WallTime kActive{seconds(1'794'000'000)};

ProcessInfo process_of(pid_t pid, std::uint64_t start_time) {
  ProcessInfo process;
  process.pid = pid;
  process.start_time = start_time;
  return process;
}

TEST(AgentProcess, TheOwnProcessIsAliveAndNoPidIsUnknown) {
  AgentProcess process;
  EXPECT_TRUE(AgentProcess::exists(::getpid()));
  EXPECT_EQ(process.look(::getpid(), wall_now()), Liveness::kAlive);
  EXPECT_EQ(process.look(std::nullopt, wall_now()), Liveness::kUnknown);
}

TEST(AgentProcess, AMissingProcessIsGone) {
  AgentProcess process;
  EXPECT_FALSE(AgentProcess::exists(999'999'999));
  EXPECT_EQ(process.look(999'999'999, wall_now()), Liveness::kGone);
}

TEST(AgentProcess, AProcessThatStartedAfterTheHookIsAnother) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 100), kActive + hours(1), kActive), Liveness::kGone);
  EXPECT_EQ(process.judge(process_of(7, 50), kActive - hours(1), kActive), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(7, 100), kActive - seconds(1), kActive), Liveness::kGone);
}

TEST(AgentProcess, AnAdjustedClockDoesNotEndAKnownProcess) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 50), kActive - hours(1), kActive), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(7, 50), kActive + hours(9), kActive), Liveness::kAlive);
}

TEST(AgentProcess, ANewPidOfAResumedAgentIsCheckedAgain) {
  AgentProcess process;
  EXPECT_EQ(process.judge(process_of(7, 50), kActive - hours(1), kActive), Liveness::kAlive);
  EXPECT_EQ(process.judge(process_of(9, 90), kActive, kActive + hours(1)), Liveness::kAlive);
}

}  // namespace
}  // namespace oriel
