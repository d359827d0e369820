// Files that earlier versions wrote, with all that was in them.

#include "base/temp_directory_testing.h"
#include "journal/check/journal_check.h"
#include "journal/check/journal_repair.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/sqlite/sqlite_schema.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// As version 1 left it: the events 1 and 2 removed by retention, 3 to 5 in the index, 6 to 8 not
// yet.
constexpr const char* kVersion1 = R"sql(
  PRAGMA journal_mode = WAL;
  BEGIN;
  PRAGMA application_id = 0x4f72696c;
  CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    removed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE events(
    seq INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    time INTEGER NOT NULL,
    type TEXT NOT NULL,
    project TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE session_index(
    session INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session, idx)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('indexed', 5), ('epoch', 'k7q2mzx4c0v8b1tn');
  INSERT INTO sessions VALUES (1, 'a', 1), (2, 'b', 1), (3, 'new', 0);
  INSERT INTO events VALUES
    (3, 1, 1, 1700000000003, 'note',  'web', '"text":"three"}'),
    (4, 0, 0, 1700000000004, 'alert', '',    '"text":"four"}'),
    (5, 2, 1, 1700000000005, 'note',  '',    '"text":"five"}'),
    (6, 1, 2, 1700000000006, 'note',  'web', '"text":"six"}'),
    (7, 3, 0, 1700000000007, 'alert', '',    '"text":"seven \u00e9 ☃"}'),
    (8, 1, 3, 1700000000008, 'note',  '',    '"text":"eight"}');
  INSERT INTO session_index VALUES (1, 1, 3), (2, 1, 5);
  PRAGMA user_version = 1;
  COMMIT;
)sql";

class FileOfVersion1 : public testing::Test {
 protected:
  FileOfVersion1() { database().execute(kVersion1); }

  SqliteDatabase database() { return {file_, SqliteDatabase::Access::kReadWrite}; }

  std::unique_ptr<JournalEngine> open(milliseconds max_age = milliseconds(0)) {
    const Retention retention{.max_age = max_age, .max_bytes = 0};
    return open_sqlite_engine(
        {.file = file_, .durability = Durability::kProcess, .retention = retention});
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
};

TEST_F(FileOfVersion1, GetsTheNewestVersion) {
  open();
  EXPECT_EQ(database().integer("PRAGMA user_version"), kSchemaVersion);
}

TEST_F(FileOfVersion1, KeepsItsEpochAndNumbers) {
  const auto engine = open();
  EXPECT_EQ(engine->epoch(), "k7q2mzx4c0v8b1tn");
  EXPECT_EQ(engine->oldest(), 3);
  EXPECT_EQ(engine->head(), 8);
}

TEST_F(FileOfVersion1, KeepsEveryFieldOfItsRecords) {
  const Page page = open()->read({});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_EQ(page.missed, 2);
  ASSERT_THAT(page.records, SizeIs(6));
  const Record& first = *page.records[0];
  EXPECT_EQ(first.index, 1);
  EXPECT_EQ(first.time, WallTime(milliseconds(1'700'000'000'003)));
  EXPECT_EQ(first.type, "note");
  EXPECT_EQ(first.event_type, EventType::kCustom);
  EXPECT_EQ(first.session_id, "a");
  EXPECT_EQ(first.project_id, "web");
  EXPECT_EQ(first.json(), R"({"index":1,"text":"three"})");
  EXPECT_EQ(page.records[1]->session_id, "");
  EXPECT_EQ(page.records[4]->body, R"("text":"seven \u00e9 ☃"})");
}

TEST_F(FileOfVersion1, FindsItsSessionsInsideAndOutsideOfTheIndex) {
  const auto engine = open();
  const SessionPage page = engine->read_session({.session_id = "a"});
  EXPECT_THAT(indexes_of(page.records), ElementsAre(1, 2, 3));
  EXPECT_EQ(page.oldest_index, 1);
  EXPECT_EQ(page.last_index, 3);
  EXPECT_THAT(indexes_of(engine->read_session({.session_id = "new"}).records), ElementsAre(0));
  const Page both = engine->read({.filter = of_sessions({"b", "new"}), .max_records = 500});
  EXPECT_THAT(sequences_of(both.records), ElementsAre(5));
  EXPECT_THAT(sequences_of(engine->read({.filter = of_types({"alert"})}).records),
              ElementsAre(4, 7));
}

TEST_F(FileOfVersion1, GoesOnCountingWhereItStopped) {
  const NewRecords added = commit_each(*open(), {"a", "b", "new", "newer"});
  EXPECT_THAT(sequences_of(added), ElementsAre(9, 10, 11, 12));
  EXPECT_THAT(indexes_of(added), ElementsAre(4, 2, 1, 0));
  // And after the next start.
  EXPECT_THAT(indexes_of(commit_each(*open(), {"a", "b"})), ElementsAre(5, 3));
}

TEST_F(FileOfVersion1, CanStoreDocuments) {
  const Document document{.key = "session/a", .value = R"({"title":"A"})"};
  {
    const auto engine = open();
    EXPECT_THAT(engine->read_documents(""), IsEmpty());
    engine->commit({}, std::span(&document, 1));
  }
  EXPECT_THAT(open()->read_documents("session/"), ElementsAre(document));
}

TEST_F(FileOfVersion1, IsSubjectToRetention) {
  const auto engine = open(milliseconds(2));
  engine->apply_retention(WallTime(milliseconds(1'700'000'000'008)));
  EXPECT_EQ(engine->oldest(), 6);
  EXPECT_EQ(engine->read_session({.session_id = "a"}).oldest_index, 2);
}

TEST_F(FileOfVersion1, OpenedTwiceIsMigratedOnce) {
  const Document document{.key = "session/a", .value = "{}"};
  { open()->commit({}, std::span(&document, 1)); }
  { open(); }
  EXPECT_THAT(open()->read_documents(""), ElementsAre(document));
  EXPECT_THAT(open()->read({}).records, SizeIs(6));
}

// What version 2 added, with two documents; the events 4 and 5 have another name on the feed.
constexpr const char* kVersion2 = R"sql(
  BEGIN;
  ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
  CREATE TABLE documents(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  UPDATE events SET type = 'session_created', kind = 'system' WHERE seq = 4;
  UPDATE events SET type = 'state_transition', kind = 'status' WHERE seq = 5;
  INSERT INTO documents VALUES
    ('session/a', '{"session_id":"a","title":"A"}'),
    ('turns/a/t1', '{"turn_id":"t1","text":"\u00e9 ☃"}');
  PRAGMA user_version = 2;
  COMMIT;
)sql";

class FileOfVersion2 : public FileOfVersion1 {
 protected:
  FileOfVersion2() { database().execute(kVersion2); }

  const std::vector<Document> documents_ = {
      {.key = "session/a", .value = R"({"session_id":"a","title":"A"})"},
      {.key = "turns/a/t1", .value = R"({"turn_id":"t1","text":"\u00e9 ☃"})"}};
};

TEST_F(FileOfVersion2, KeepsItsDocuments) {
  EXPECT_EQ(open()->read_documents(""), documents_);
  EXPECT_EQ(open()->read_documents(""), documents_) << "at the second start, too";
}

TEST_F(FileOfVersion2, KeepsItsEventsAndTheirTypes) {
  const auto engine = open();
  EXPECT_EQ(database().integer("PRAGMA user_version"), kSchemaVersion);
  const Page page = engine->read({});
  ASSERT_THAT(sequences_of(page.records), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_EQ(page.records[1]->type, "session_created");
  EXPECT_EQ(page.records[1]->event_type, EventType::kSystem);
  EXPECT_EQ(page.records[2]->event_type, EventType::kStatus);
  EXPECT_EQ(engine->opening_damage(), std::nullopt);
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a"})), ElementsAre(9));
}

TEST_F(FileOfVersion2, ReplacesAndRemovesItsDocuments) {
  const std::vector<Document> changes = {{.key = "session/a", .value = "{}"},
                                         {.key = "turns/a/t1", .value = ""}};
  { open()->commit({}, changes); }
  EXPECT_THAT(open()->read_documents(""), ElementsAre(changes[0]));
  EXPECT_THAT(check_journal(file_).problems, IsEmpty());
}

TEST_F(FileOfVersion2, IsRepairedWithItsDocuments) {
  { open(); }
  const JournalRepair repair = repair_journal(file_);
  EXPECT_EQ(repair.events, 6);
  EXPECT_EQ(open()->read_documents(""), documents_);
}

}  // namespace
}  // namespace oriel
