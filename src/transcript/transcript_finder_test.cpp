#include "transcript/transcript_finder.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class TranscriptFinderTest : public testing::Test {
 protected:
  void add(const std::string& name, std::chrono::hours age) const {
    directory_.add(name, "x\n");
    fs::last_write_time(directory_ / name, fs::file_time_type::clock::now() - age);
  }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  static std::vector<std::string> names(const FoundTranscripts& found) {
    std::vector<std::string> names;
    for (const FoundTranscript& file : found.files)
      names.push_back(fs::path(file.path).filename());
    return names;
  }

  TempDirectory directory_;
};

TEST_F(TranscriptFinderTest, TheNewestFileComesFirst) {
  add("roots/2026/11/old.jsonl", std::chrono::hours(48));
  add("roots/a/new.jsonl", std::chrono::hours(1));
  add("roots/between.jsonl", std::chrono::hours(9));
  add("roots/a/settings.json", std::chrono::hours(0));
  const FoundTranscripts found = find_transcripts({path("roots")});
  EXPECT_THAT(names(found), ElementsAre("new.jsonl", "between.jsonl", "old.jsonl"));
  EXPECT_EQ(found.files.front().size, 2U);
  EXPECT_FALSE(found.is_cut);
}

TEST_F(TranscriptFinderTest, AFileThatIsNamedTwiceIsFoundOnce) {
  add("roots/a.jsonl", std::chrono::hours(1));
  fs::create_symlink(path("roots"), path("link"));
  EXPECT_THAT(names(find_transcripts({path("roots"), path("link"), path("roots/a.jsonl")})),
              ElementsAre("a.jsonl"));
}

TEST_F(TranscriptFinderTest, LinksAndSpecialFilesAreIgnored) {
  add("elsewhere/secret.jsonl", std::chrono::hours(1));
  fs::create_directories(path("roots/directory.jsonl"));
  fs::create_symlink(path("elsewhere"), path("roots/way-out"));
  fs::create_symlink(path("elsewhere/secret.jsonl"), path("roots/secret.jsonl"));
  ASSERT_EQ(mkfifo(path("roots/pipe.jsonl").c_str(), 0600), 0);
  EXPECT_THAT(names(find_transcripts({path("roots")})), IsEmpty());
}

TEST_F(TranscriptFinderTest, AMissingPathHasNoFiles) {
  EXPECT_THAT(find_transcripts({path("nowhere")}).files, IsEmpty());
}

}  // namespace
}  // namespace oriel
