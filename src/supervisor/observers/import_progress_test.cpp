#include "supervisor/observers/import_progress.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ImportProgress, SkippedLinesAreCountedAndTheFirstAreListed) {
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

TEST(ImportProgress, NoImportIsIdle) {
  const auto object = to_json(ImportProgress());
  EXPECT_EQ(object.at("state"), "idle");
  EXPECT_TRUE(object.at("started_at").is_null());
}

}  // namespace
}  // namespace oriel
