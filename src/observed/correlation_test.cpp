#include "observed/correlation.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

HookEvent hook_of(HookKind kind, const std::string& session_id, const std::string& path,
                  std::optional<std::int64_t> pid, StartSource source = StartSource::kOther) {
  HookEvent hook;
  hook.kind = kind;
  hook.session_id = session_id;
  hook.transcript_path = path;
  hook.cwd = "/w";
  hook.pid = pid;
  hook.source = source;
  return hook;
}

TEST(Correlation, ConcurrentHooksBelongToOneAgent) {
  Correlation correlation;
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kPreToolUse, "a", "/t/a", {})).evidence, "new");
  const Correlated second = correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", {}));
  EXPECT_EQ(second.agent_id, "a");
  EXPECT_EQ(second.evidence, "session_id");
}

TEST(Correlation, CompactionKeepsTheAgentOfTheProcess) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  const Correlated same =
      correlation.resolve(hook_of(HookKind::kSessionStart, "b", "/t/b", 7, StartSource::kCompact));
  EXPECT_EQ(same.agent_id, "a");
  EXPECT_EQ(same.evidence, "process");
  EXPECT_EQ(correlation.find("b"), "a");
}

TEST(Correlation, CompactionKeepsTheAgentIfItsStartIsLost) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kPreToolUse, "b", "/t/b", 7)).agent_id, "a");
}

TEST(Correlation, AResumedSessionIsFoundByItsIdOrTranscript) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  EXPECT_EQ(
      correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 9, StartSource::kResume))
          .agent_id,
      "a");
  const Correlated file =
      correlation.resolve(hook_of(HookKind::kSessionStart, "c", "/t/a", 11, StartSource::kResume));
  EXPECT_EQ(file.agent_id, "a");
  EXPECT_EQ(file.evidence, "transcript");
}

TEST(Correlation, ANewSessionOfTheSameProcessIsAnotherAgent) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  EXPECT_EQ(
      correlation.resolve(hook_of(HookKind::kSessionStart, "b", "/t/b", 7, StartSource::kClear))
          .agent_id,
      "b");
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kStop, "c", "/t/c", 7)).agent_id, "b");
}

TEST(Correlation, ProcessesThatEndedOrAreInOtherDirectoriesAreNoEvidence) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  HookEvent elsewhere = hook_of(HookKind::kStop, "b", "/t/b", 7);
  elsewhere.cwd = "/other";
  EXPECT_EQ(correlation.resolve(elsewhere).agent_id, "b");
  correlation.resolve(hook_of(HookKind::kSessionEnd, "a", "/t/a", 7));
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kStop, "c", "/t/c", 7)).agent_id, "c");
}

TEST(Correlation, AForkIsAnotherAgentThoughItNamesTheOldOneFirst) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  correlation.resolve(hook_of(HookKind::kSessionEnd, "a", "/t/a", 7));
  EXPECT_EQ(
      correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 9, StartSource::kResume))
          .agent_id,
      "a");
  const Correlated fork = correlation.resolve(hook_of(HookKind::kUserPromptSubmit, "b", "/t/b", 9));
  EXPECT_EQ(fork.agent_id, "b");
  EXPECT_EQ(fork.evidence, "new");
}

TEST(Correlation, CompactionKeepsAResumedAgentThatHasWorked) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kResume));
  correlation.resolve(hook_of(HookKind::kUserPromptSubmit, "a", "/t/a", 7));
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kPreToolUse, "b", "/t/b", 7)).agent_id, "a");
}

TEST(Correlation, AForgottenAgentIsNotFound) {
  Correlation correlation;
  correlation.resolve(hook_of(HookKind::kSessionStart, "a", "/t/a", 7, StartSource::kStartup));
  correlation.forget("a");
  EXPECT_EQ(correlation.find("a"), std::nullopt);
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kStop, "b", "/t/a", 7)).evidence, "new");
}

TEST(Correlation, StoredAgentsAreFound) {
  Correlation correlation;
  correlation.learn("a", "z", "/t/z", "/w", 7);
  EXPECT_EQ(correlation.resolve(hook_of(HookKind::kStop, "z", "", {})).agent_id, "a");
  EXPECT_EQ(correlation.find("unknown"), std::nullopt);
}

}  // namespace
}  // namespace oriel
