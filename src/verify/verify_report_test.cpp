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

TEST(VerifyReport, OfAClusterItHasTheFaults) {
  VerifyReport of_cluster = report();
  of_cluster.cluster = {.nodes = 3, .starts = 5, .faults = {1, 0, 2, 0, 0, 4}};
  EXPECT_THAT(report_text(of_cluster),
              HasSubstr("Cluster: 3 nodes, 5 starts; 1 kill_node, 0 stop_node, 2 freeze_node, "
                        "0 lose_journal, 0 kill_nats, 4 freeze_nats\n"));
  const auto json = report_json(of_cluster);
  EXPECT_EQ(number_of(member(json, "cluster", "nodes")), 3);
  EXPECT_EQ(number_of(member(json, "cluster", "faults", "freeze_nats")), 4);
  EXPECT_FALSE(report_json(report()).contains("cluster"));
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
