#include "journal/sqlite/sqlite_schema.h"

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

class SqliteSchema : public testing::Test {
 protected:
  std::vector<std::string> tables() {
    SqliteStatement select(database_,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    SqliteRows rows = select.query();
    std::vector<std::string> names;
    while (rows.next())
      names.emplace_back(rows.text(0));
    return names;
  }

  TempDirectory directory_;
  SqliteDatabase database_{directory_ / "events.db", SqliteDatabase::Access::kReadWrite};
};

TEST_F(SqliteSchema, MigratesAnEmptyFileToTheNewestVersion) {
  migrate(database_);
  EXPECT_EQ(database_.integer("PRAGMA user_version"), kSchemaVersion);
  EXPECT_THAT(tables(),
              ElementsAre("contents", "documents", "events", "meta", "session_index", "sessions"));
}

TEST_F(SqliteSchema, LeavesTheNewestVersionUnchanged) {
  migrate(database_);
  set_meta(database_, "epoch", "e");
  migrate(database_);
  EXPECT_EQ(find_meta(database_, "epoch"), "e");
}

TEST_F(SqliteSchema, AFailedMigrationChangesNothing) {
  database_.execute("PRAGMA max_page_count = 3");
  EXPECT_THROW(migrate(database_), SqliteError);
  EXPECT_EQ(database_.integer("PRAGMA user_version"), 0);
  EXPECT_THAT(tables(), ElementsAre());

  database_.execute("PRAGMA max_page_count = 1000");
  migrate(database_);
  EXPECT_EQ(database_.integer("PRAGMA user_version"), kSchemaVersion);
}

}  // namespace
}  // namespace oriel
