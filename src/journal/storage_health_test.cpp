#include "journal/storage_health.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST(StorageHealth, HasNoProblemAtFirst) {
  StorageHealth health;
  EXPECT_EQ(health.problem(), std::nullopt);
  EXPECT_EQ(health.loss(), std::nullopt);
}

TEST(StorageHealth, AFailedCommitIsAProblemUntilTheNextThatWorks) {
  StorageHealth health;
  health.commit_failed("disk full", 3);
  EXPECT_THAT(health.problem(), Optional(HasSubstr("not stored: disk full")));
  health.committed();
  EXPECT_EQ(health.problem(), std::nullopt);
}

TEST(StorageHealth, AFailedRetentionIsAProblemUntilTheNextThatWorks) {
  StorageHealth health;
  health.retention_failed("disk full");
  health.committed();
  EXPECT_THAT(health.problem(), Optional(HasSubstr("not removed: disk full")));
  health.retained();
  EXPECT_EQ(health.problem(), std::nullopt);
}

TEST(StorageHealth, DamageStays) {
  StorageHealth health;
  health.damaged("event 17");
  health.damaged("event 18");
  health.committed();
  health.retained();
  EXPECT_THAT(health.problem(), Optional(HasSubstr("damaged: event 17")));
}

TEST(StorageHealth, ALossIsTheWorstAndStays) {
  StorageHealth health;
  health.commit_failed("disk full", 1);
  health.lost("journal.db was deleted");
  health.lost("journal.db-wal was deleted");
  health.committed();
  EXPECT_THAT(health.loss(), Optional(std::string("journal.db was deleted")));
  EXPECT_THAT(health.problem(), Optional(HasSubstr("until the server is restarted")));
}

}  // namespace
}  // namespace oriel
