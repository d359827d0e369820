#include "supervisor/observers/import_progress.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ImportProgress, ManySkippedLinesAreCountedAndTheFirstAreNamed) {
  ImportProgress progress;
  progress.skip({.path = "/a.jsonl", .offset = {}, .why = "it cannot be opened"});
  for (std::uint64_t i = 0; i < 1000; ++i)
    progress.skip({.path = "/b.jsonl", .offset = i, .why = "not a JSON object"});
  EXPECT_EQ(progress.lines_skipped, 1000U);
  const auto object = to_json(progress);
  const auto& skipped = object.at("skipped").as_array();
  ASSERT_EQ(skipped.size(), ImportProgress::kMaxSkipped);
  EXPECT_TRUE(skipped[0].at("offset").is_null());
  EXPECT_EQ(skipped[1].at("offset").to_number<int>(), 0);
}

TEST(ImportProgress, OneThatWasNeverBegunIsIdle) {
  const auto object = to_json(ImportProgress());
  EXPECT_EQ(object.at("state"), "idle");
  EXPECT_TRUE(object.at("started_at").is_null());
}

TEST(ImportPlan, LongListsAreCutAndCountedWhole) {
  ImportPlan plan;
  for (std::size_t i = 0; i < ImportPlan::kMaxShown + 5; ++i)
    plan.files.push_back({.found = {.path = "/a", .size = 2, .inode = i, .modified_at = {}},
                          .is_unchanged = i == 0});
  const auto object = to_json(plan);
  EXPECT_EQ(object.at("files").as_array().size(), ImportPlan::kMaxShown);
  EXPECT_EQ(object.at("files_total").to_number<std::size_t>(), ImportPlan::kMaxShown + 5);
  EXPECT_EQ(object.at("bytes_total").to_number<std::size_t>(), 2 * (ImportPlan::kMaxShown + 5));
  EXPECT_EQ(object.at("files_unchanged").to_number<int>(), 1);
}

}  // namespace
}  // namespace oriel
