#include "cli/render/task_summary.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::optional<int> end_of(const std::string& type, const std::string& text,
                          const std::string& status) {
  SessionEvent event;
  event.type = type;
  event.text = text;
  event.status = status;
  return task_end(event);
}

TEST(TaskSummary, ACompletionEndsTheTaskWithItsExitCode) {
  EXPECT_EQ(end_of("completion", "", "completed"), 0);
  EXPECT_EQ(end_of("completion", "", "error"), 1);
  EXPECT_EQ(end_of("completion", "", "cancelled"), 130);
}

TEST(TaskSummary, AFailedOrEndedSessionEndsTheTask) {
  EXPECT_EQ(end_of("status", "failed", ""), 1);
  EXPECT_EQ(end_of("status", "completed", ""), 1);
  EXPECT_EQ(end_of("status", "idle", ""), std::nullopt);
  EXPECT_EQ(end_of("status", "running", ""), std::nullopt);
  EXPECT_EQ(end_of("error", "failed", ""), std::nullopt);
}

TEST(TaskSummary, ShowsKnownUsage) {
  EXPECT_EQ(usage_text({}), "");
  EXPECT_EQ(usage_text({{"input_tokens", 1234}, {"output_tokens", 56}, {"cost_usd", 0.01234}}),
            "1.2k tokens in, 56 out, $0.0123");
  EXPECT_EQ(usage_text({{"input_tokens", 2'500'000}, {"cost_usd", "?"}}), "2.5M tokens in");
}

TEST(TaskSummary, ShowsHowToContinue) {
  EXPECT_EQ(task_summary("ses_1", std::chrono::milliseconds(1500), {{"output_tokens", 9}}),
            "ses_1 · 1.5s · 9 out\ncontinue with: oriel send --session ses_1 MESSAGE");
}

}  // namespace
}  // namespace oriel
