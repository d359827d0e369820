#include "observed/transcript_progress.h"

#include "observed/observed_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TranscriptEntry entry_of(const std::string& id) {
  TranscriptEntry entry;
  entry.id = id;
  return entry;
}

EntryBatch batch_of(const std::string& path) {
  EntryBatch batch;
  batch.position.path = path;
  return batch;
}

TEST(TranscriptProgress, AnotherFileRepeatsOlderEntries) {
  TranscriptProgress progress;
  progress.advance(batch_of("/a"));
  progress.note(entry_of("e1"), at_ms(1));
  progress.note(entry_of("e2"), at_ms(2));
  EXPECT_FALSE(progress.is_repeat(entry_of("e1"), at_ms(1)));
  progress.advance(batch_of("/b"));
  EXPECT_TRUE(progress.is_repeat(entry_of("e1"), at_ms(1)));
  EXPECT_TRUE(progress.is_repeat(entry_of("e2"), at_ms(2)));
  EXPECT_FALSE(progress.is_repeat(entry_of("e3"), at_ms(2)));
  EXPECT_FALSE(progress.is_repeat(entry_of("e4"), at_ms(3)));
}

TEST(TranscriptProgress, AnImportDoesNotReplaceTheTranscript) {
  TranscriptProgress progress;
  progress.advance(batch_of("/a"));
  EntryBatch other = batch_of("/b");
  other.is_import = true;
  progress.advance(other);
  EXPECT_EQ(progress.position.path, "/a");
}

TEST(TranscriptProgress, TheWantedFileIsFollowedFromItsStart) {
  TranscriptProgress progress;
  progress.position = {.path = "/a", .inode = 3, .offset = 40};
  progress.wanted_path = "/b";
  progress.follow_wanted();
  EXPECT_EQ(progress.position, (TranscriptPosition{.path = "/b", .inode = 0, .offset = 0}));
  EXPECT_EQ(progress.wanted_path, "");
}

TEST(TranscriptProgress, ATimeThatNoClockCanShowIsImplausible) {
  const WallTime now = at_ms(0);
  EXPECT_EQ(plausible_time(now, now), now);
  EXPECT_FALSE(plausible_time(std::nullopt, now));
  EXPECT_FALSE(plausible_time(WallTime{} - std::chrono::hours(1), now));
  EXPECT_FALSE(plausible_time(now + std::chrono::hours(25), now));
}

}  // namespace
}  // namespace oriel
