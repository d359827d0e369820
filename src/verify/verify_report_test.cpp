#include "verify/verify_report.h"

#include "base/text/json_access.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

VerifyReport report() {
  Verdict kept{.promise = Promise::kNoLoss, .summary = "7 events", .checked = 7, .examples = {}};
  Verdict broken{
      .promise = Promise::kExactlyOnce, .summary = "9 deliveries", .checked = 9, .examples = {}};
  broken.fail("watcher 1: 5 after 7");
  VerifyReport report;
  report.seed = 42;
  report.lives.not_reached = {"spawn.after"};
  report.verdicts = {kept, broken};
  return report;
}

TEST(VerifyReport, TheTextHasAVerdictOnEachPromise) {
  const std::string text = report_text(report());
  EXPECT_THAT(text, HasSubstr("✓ no_acknowledged_loss  7 events\n"));
  EXPECT_THAT(text, HasSubstr("✗ exactly_once          9 deliveries; broken 1 times\n"
                              "    watcher 1: 5 after 7\n"));
  EXPECT_THAT(text, HasSubstr("Failpoints that were not reached: spawn.after\n"));
  EXPECT_THAT(text, HasSubstr("Seed: 42\n"));
}

TEST(VerifyReport, TheJsonHasTheCounts) {
  const auto json = report_json(report());
  EXPECT_FALSE(is_true(member(json, "is_kept")));
  const auto promises = objects_of(member(json, "promises"));
  ASSERT_EQ(promises.size(), 2u);
  EXPECT_EQ(text_at(promises[1], "promise"), "exactly_once");
  EXPECT_EQ(number_of(member(promises[1], "broken")), 1);
}

TEST(VerifyReport, OneBrokenPromiseIsAFailureAndNoPromiseToo) {
  EXPECT_FALSE(report().is_kept());
  EXPECT_FALSE(VerifyReport().is_kept());
  VerifyReport kept = report();
  kept.verdicts.pop_back();
  EXPECT_TRUE(kept.is_kept());
}

}  // namespace
}  // namespace oriel
