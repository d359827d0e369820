#include "journal/storage_health.h"

#include "base/log_capture_testing.h"

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

TEST(StorageHealth, AProblemThatComesAndGoesIsLoggedOnceInAnInterval) {
  const LogCapture log;
  SteadyTime now{};
  StorageHealth health([&now] { return now; });
  for (int i = 0; i < 100; ++i) {
    health.commit_failed("disk full", 1);
    health.committed();
    health.retention_failed("disk full");
    health.retained();
  }
  EXPECT_EQ(log.lines("were not stored"), 1U);
  EXPECT_EQ(log.lines("are stored again"), 1U) << "nothing that was not logged has ended";
  EXPECT_EQ(log.lines("retention failed"), 1U);
  EXPECT_EQ(log.lines("retention works"), 1U);

  now += std::chrono::seconds(10);
  health.commit_failed("disk full", 1);
  health.committed();
  EXPECT_THAT(log.text(), HasSubstr("(99 such failures were not logged)"));
  EXPECT_THAT(log.text(), HasSubstr("stored again; 100 were not"));
}

TEST(StorageHealth, AFailureIsAProblemAlsoWhileItIsNotLogged) {
  StorageHealth health([] { return SteadyTime{}; });
  health.commit_failed("disk full", 1);
  health.committed();
  health.commit_failed("disk full", 1);
  EXPECT_THAT(health.refusal(), Optional(HasSubstr("disk full")));
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
