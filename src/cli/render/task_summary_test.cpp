#include "cli/render/task_summary.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

std::optional<int> end_of(EventPayload payload) {
  SessionEvent event;
  event.payload = std::move(payload);
  return task_end(event);
}

std::optional<int> end_of(TaskEnd outcome) {
  event::Completion completion;
  completion.outcome = outcome;
  return end_of(EventPayload(completion));
}

std::optional<int> end_of(SessionStatus status) {
  return end_of(EventPayload(event::StatusChanged{.status = status, .reason = {}}));
}

Usage usage_with(const boost::json::object& numbers) {
  return parse_usage(numbers);
}

TEST(TaskSummary, ACompletionEndsTheTaskWithItsExitCode) {
  EXPECT_EQ(end_of(TaskEnd::kCompleted), 0);
  EXPECT_EQ(end_of(TaskEnd::kError), 1);
  EXPECT_EQ(end_of(TaskEnd::kCancelled), 130);
}

TEST(TaskSummary, AFailedOrEndedSessionEndsTheTask) {
  EXPECT_EQ(end_of(SessionStatus::kFailed), 1);
  EXPECT_EQ(end_of(SessionStatus::kCompleted), 1);
  EXPECT_EQ(end_of(SessionStatus::kIdle), std::nullopt);
  EXPECT_EQ(end_of(SessionStatus::kRunning), std::nullopt);
  EXPECT_EQ(end_of(EventPayload(event::TaskError{.message = "failed"})), std::nullopt);
}

TEST(TaskSummary, ShowsKnownUsage) {
  EXPECT_EQ(usage_text({}), "");
  EXPECT_EQ(usage_text(
                usage_with({{"input_tokens", 1234}, {"output_tokens", 56}, {"cost_usd", 0.01234}})),
            "1.2k tokens in, 56 out, $0.0123");
  EXPECT_EQ(usage_text(usage_with({{"input_tokens", 2'500'000}, {"cost_usd", "?"}})),
            "2.5M tokens in");
}

TEST(TaskSummary, ShowsHowToContinue) {
  EXPECT_EQ(
      task_summary("ses_1", std::chrono::milliseconds(1500), usage_with({{"output_tokens", 9}})),
      "ses_1 · 1.5s · 9 out\ncontinue with: oriel send --session ses_1 MESSAGE");
}

}  // namespace
}  // namespace oriel
