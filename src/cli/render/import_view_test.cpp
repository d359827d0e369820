#include "cli/render/import_view.h"

#include "base/text/json_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ImportView, SizesAreAbout) {
  EXPECT_EQ(about_bytes(0), "0 B");
  EXPECT_EQ(about_bytes(999), "999 B");
  EXPECT_EQ(about_bytes(1000), "1.0 kB");
  EXPECT_EQ(about_bytes(999'999), "1.0 MB");
  EXPECT_EQ(about_bytes(123'456'789), "123 MB");
  EXPECT_EQ(about_bytes(1'440'000'000), "1.4 GB");
}

TEST(ImportView, ALineShowsProgressAndSpeed) {
  const auto progress =
      parse_object(R"({"state":"running","files_total":8,"files_done":3,"bytes_total":1000000,)"
                   R"("bytes_done":500000,"turns":1})");
  EXPECT_EQ(import_line(progress, milliseconds(2000)),
            "[############------------]  50 %  3 of 8 files  500 kB of 1.0 MB  250 kB/s  1 turn");
  EXPECT_EQ(display_width(import_line(progress, milliseconds(2000), 40)), 40U);
}

TEST(ImportView, ABarNeverExceedsItsWidth) {
  for (const char* text : {R"({})", R"({"bytes_total":0,"bytes_done":5})",
                           R"({"bytes_total":5,"bytes_done":50})", R"({"bytes_total":-1})"})
    EXPECT_THAT(import_line(parse_object(text), milliseconds(0)), HasSubstr("files")) << text;
}

TEST(ImportView, TheSummaryCountsImportedAndSkippedFiles) {
  const auto progress =
      parse_object(R"({"state":"done","files_total":9,"files_done":9,"sessions":2,"turns":70,)"
                   R"("files_unchanged":3,"files_failed":1,"lines_skipped":1,"skipped":[)"
                   R"({"path":"/a\u001b[2J.jsonl","offset":17,"why":"not a JSON object"},)"
                   R"({"path":"/b.jsonl","offset":null,"why":"it cannot be opened"}]})");
  EXPECT_THAT(
      import_summary(progress),
      AllOf(HasSubstr("The import is done: 2 sessions, 70 turns, 9 of 9 files\n"),
            HasSubstr("  3 files unchanged since the last import\n"),
            HasSubstr("  1 file unreadable\n"), HasSubstr(".jsonl, byte 17: not a JSON object\n"),
            HasSubstr("  /b.jsonl: it cannot be opened\n"), Not(HasSubstr("\x1b"))));
}

TEST(ImportView, AnUnfinishedImportIsReported) {
  EXPECT_THAT(import_summary(parse_object(R"({"state":"cancelled"})")), HasSubstr("cancelled"));
  EXPECT_THAT(import_summary(parse_object(R"({"state":"failed","error":"no disk"})")),
              HasSubstr("failed (no disk)"));
}

TEST(ImportView, APlanListsFilesWithAgeAndSize) {
  const auto plan = parse_object(
      R"({"files":[{"path":"/a.jsonl","size":1500,"modified_at":"2026-11-16T08:00:00.000Z"},)"
      R"({"path":"/b.jsonl","size":7,"modified_at":"2026-11-15T08:00:00.000Z",)"
      R"("is_unchanged":true}],"files_total":2,"bytes_total":1507,"files_old":4})");
  EXPECT_EQ(import_plan(plan),
            "2026-11-16T08:00   1.5 kB  /a.jsonl\n"
            "2026-11-15T08:00      7 B  /b.jsonl  (unchanged)\n"
            "2 files, 1.5 kB\n"
            "  4 files too old (--days)\n");
}

}  // namespace
}  // namespace oriel
