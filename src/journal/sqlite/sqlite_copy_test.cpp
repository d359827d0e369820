#include "journal/sqlite/sqlite_copy.h"

#include "base/temp_directory_testing.h"
#include "journal/check/journal_check.h"
#include "journal/engine_testing.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/sqlite/sqlite_schema.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <limits>
#include <thread>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CopiedJournal : public testing::Test {
 protected:
  static std::unique_ptr<JournalEngine> open(const std::filesystem::path& file) {
    return open_sqlite_engine({.file = file,
                               .durability = Durability::kProcess,
                               .retention = {.max_age = {}, .max_bytes = 1}});
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
  const std::filesystem::path copy_ = directory_ / "copy.db";
};

TEST_F(CopiedJournal, HasTheEpochTheEventsAndTheDocumentsAndGoesOn) {
  const auto engine = open(file_);
  const std::string long_text = "\"text\":\"" + std::string(50'000, 'x') + "\"}";
  commit_many(*engine, 5, "a", long_text);
  commit_many(*engine, 3, "b");
  const std::vector<Document> documents{{.key = "session/a", .value = "{}"}};
  engine->commit({}, documents);
  engine->copy_to(copy_);
  commit_each(*engine, {"a"});

  const auto copied = open(copy_);
  EXPECT_EQ(copied->epoch(), engine->epoch());
  EXPECT_EQ(copied->head(), 8);
  EXPECT_EQ(copied->read_documents(""), documents);
  const Page page = copied->read({});
  ASSERT_EQ(page.records.size(), 8);
  EXPECT_EQ(page.records[4]->body, long_text);
  const NewRecords next = commit_each(*copied, {"a", "b", "c"});
  EXPECT_THAT(indexes_of(next), ElementsAre(5, 3, 0));
  EXPECT_TRUE(check_events(copy_, {}).is_sound());
}

TEST_F(CopiedJournal, KeepsIndexesOfSessionsWhoseEventsRetentionHasRemoved) {
  const auto engine = open(file_);
  commit_many(*engine, 700, "a", "\"text\":\"" + std::string(1000, 'x') + "\"}");
  commit_each(*engine, {"b"});
  while (engine->apply_retention(WallTime())) {
  }
  ASSERT_EQ(engine->oldest(), 701);
  engine->copy_to(copy_);
  const auto copied = open(copy_);
  EXPECT_EQ(copied->oldest(), 701);
  EXPECT_THAT(indexes_of(commit_each(*copied, {"a"})), ElementsAre(700));
}

// What the original has not synced yet is complete in the copy.
TEST_F(CopiedJournal, IsNotTakenForOneThatHasLostCommits) {
  const auto engine = open(file_);
  commit_each(*engine, {"a"});
  engine->copy_to(copy_);
  SqliteDatabase copied(copy_, SqliteDatabase::Access::kReadOnly);
  EXPECT_EQ(find_meta(copied, "unsynced_boot"), std::nullopt);
}

TEST_F(CopiedJournal, IsPrivate) {
  open(file_)->copy_to(copy_);

  struct stat found {};

  ASSERT_EQ(::stat(copy_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600);
}

TEST_F(CopiedJournal, IsOneStateWhileCommitsGoOn) {
  const auto engine = open(file_);
  std::atomic<bool> stops = false;
  std::thread writer([&] {
    while (!stops)
      commit_many(*engine, 7, "a");
  });
  for (int i = 0; i < 5; ++i) {
    const auto copy = directory_ / ("copy-" + std::to_string(i));
    engine->copy_to(copy);
    EXPECT_EQ(open(copy)->head() % 7, 0) << "a part of a commit";
    EXPECT_TRUE(check_events(copy, {}).is_sound());
  }
  stops = true;
  writer.join();
}

TEST_F(CopiedJournal, IsNotWrittenOverAnotherFile) {
  std::ofstream(copy_) << "mine";
  const auto engine = open(file_);
  EXPECT_THROW(engine->copy_to(copy_), std::runtime_error);
  EXPECT_EQ(std::filesystem::file_size(copy_), 4);
}

TEST_F(CopiedJournal, LeavesNothingBehindIfItFails) {
  {
    const auto engine = open(file_);
    commit_many(*engine, 200, "a", "\"text\":\"" + std::string(1000, 'x') + "\"}");
  }
  std::filesystem::resize_file(file_, 8192);
  EXPECT_THROW(copy_database(file_, copy_), SqliteError);
  EXPECT_FALSE(std::filesystem::exists(copy_));
}

// The journal itself needs the rest.
TEST_F(CopiedJournal, IsNotMadeIfItWouldFillTheDisk) {
  const auto engine = open(file_);
  commit_each(*engine, {"a"});
  EXPECT_THROW(copy_database(file_, copy_, std::numeric_limits<std::uint64_t>::max()), SqliteError);
  EXPECT_FALSE(std::filesystem::exists(copy_));
}

TEST(MemoryEngineCopy, IsRefused) {
  TempDirectory directory;
  EXPECT_THROW(make_memory_engine({})->copy_to(directory / "copy.db"), std::runtime_error);
  EXPECT_THAT(
      std::vector<std::filesystem::path>(std::filesystem::directory_iterator(directory.path()), {}),
      IsEmpty());
}

}  // namespace
}  // namespace oriel
