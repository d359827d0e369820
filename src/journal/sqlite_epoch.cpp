#include "journal/sqlite_epoch.h"

#include "base/id.h"
#include "base/log.h"
#include "journal/sqlite_schema.h"

#include <fstream>

namespace oriel {
namespace {

constexpr const char* kEpoch = "epoch";
constexpr const char* kUnsyncedBoot = "unsynced_boot";

std::string boot_id() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  // Unknown: assume a reboot, which at worst starts an epoch that was not necessary.
  return boot.empty() ? random_id() : boot;
}

}  // namespace

std::string begin_epoch(SqliteDatabase& database, Durability durability) {
  database.execute("PRAGMA synchronous = FULL");
  const std::string boot = boot_id();
  const std::optional<std::string> unsynced_boot = find_meta(database, kUnsyncedBoot);
  std::optional<std::string> epoch = find_meta(database, kEpoch);
  const bool may_have_lost = unsynced_boot && unsynced_boot != boot;
  if (epoch && may_have_lost) {
    log()->warn(
        "{}: the machine stopped before the last events were synced; clients with old cursors will "
        "receive a gap",
        database.file().string());
  }

  SqliteTransaction transaction(database, SqliteTransaction::Kind::kWrite);
  if (!epoch || may_have_lost) {
    epoch = random_id();
    set_meta(database, kEpoch, *epoch);
  }
  if (durability == Durability::kProcess) {
    set_meta(database, kUnsyncedBoot, boot);
  } else {
    erase_meta(database, kUnsyncedBoot);
  }
  transaction.commit();
  if (durability == Durability::kProcess) database.execute("PRAGMA synchronous = NORMAL");
  return *epoch;
}

void close_epoch(SqliteDatabase& database) {
  // This commit syncs the whole write-ahead log and thereby all commits before it.
  database.execute("PRAGMA synchronous = FULL");
  erase_meta(database, kUnsyncedBoot);
}

}  // namespace oriel
