#include "supervisor/observers/import_plan.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

FoundTranscript file_of(const std::string& path, int day) {
  return {.path = path, .size = 10, .inode = 1, .modified_at = WallTime(std::chrono::days(day))};
}

ImportedFile imported(const FoundTranscript& found) {
  ImportedFile file;
  file.path = found.path;
  file.size = found.size;
  file.inode = found.inode;
  file.modified_at = found.modified_at;
  file.is_done = true;
  return file;
}

TEST(ImportPlan, HasYoungFilesAndMarksThoseThatAreUnchanged) {
  const FoundTranscript known = file_of("/known.jsonl", 20);
  FoundTranscripts found;
  found.files = {file_of("/new.jsonl", 21), known, file_of("/old.jsonl", 9)};
  const ImportPlan plan =
      plan_import(found, {{known.path, imported(known)}}, WallTime(std::chrono::days(10)));
  ASSERT_EQ(plan.files.size(), 2U);
  EXPECT_EQ(plan.files[0].found.path, "/new.jsonl");
  EXPECT_FALSE(plan.files[0].is_unchanged);
  EXPECT_TRUE(plan.files[1].is_unchanged);
  EXPECT_EQ(plan.files_old, 1U);
  EXPECT_FALSE(plan.is_cut);
}

TEST(ImportPlan, ALongListIsCutAndCountedCompletely) {
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
