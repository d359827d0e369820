#include "journal/sqlite_epoch.h"

#include "base/id.h"
#include "base/log.h"
#include "journal/event_row.h"
#include "journal/sqlite_schema.h"
#include "journal/to_record.h"

#include <fstream>

namespace oriel {
namespace {

constexpr const char* kEpoch = "epoch";
constexpr const char* kUnsyncedBoot = "unsynced_boot";
constexpr std::int64_t kNoSession = 0;

std::string boot_id() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  // Unknown: assume a reboot, which at worst starts an epoch that was not necessary.
  return boot.empty() ? random_id() : boot;
}

// Reserves the sequences up to `noted` if the file has lost them. Requires a write transaction.
std::optional<std::string> announce_loss(SqliteDatabase& database, Sequence noted) {
  const auto head =
      static_cast<Sequence>(database.number("SELECT coalesce(max(seq), 0) FROM events"));
  if (noted <= head) return std::nullopt;
  const std::string loss = "the events " + std::to_string(head + 1) + " to " +
                           std::to_string(noted) + " were stored and are missing now";
  SessionEvent event;
  event.timestamp = wall_now();
  event.payload = event::Notice{.text = loss};
  const std::shared_ptr<Record> notice = to_record(std::move(event));
  notice->sequence = noted + 1;
  SqliteStatement insert(database, kInsertEvent);
  insert_event(insert, *notice, kNoSession, {});
  SqliteStatement(database, "REPLACE INTO meta VALUES ('known_holes', ?1)").run(noted);
  return loss;
}

}  // namespace

Epoch begin_epoch(SqliteDatabase& database, Durability durability, const HighWater& high_water) {
  database.execute("PRAGMA synchronous = FULL");
  const std::string boot = boot_id();
  const std::optional<std::string> unsynced_boot = find_meta(database, kUnsyncedBoot);
  const std::optional<std::string> known = find_meta(database, kEpoch);
  const bool may_have_lost = unsynced_boot && unsynced_boot != boot;
  if (known && may_have_lost) {
    log()->warn(
        "{}: the machine stopped before the last events were synced; clients with old cursors will "
        "receive a gap",
        database.file().string());
  }

  SqliteTransaction transaction(database, SqliteTransaction::Kind::kWrite);
  Epoch epoch;
  if (known) epoch = {.id = *known, .loss = announce_loss(database, high_water.found_in(*known))};
  if (!known || may_have_lost || epoch.loss) {
    epoch.id = random_id();
    set_meta(database, kEpoch, epoch.id);
  }
  if (durability == Durability::kProcess) {
    set_meta(database, kUnsyncedBoot, boot);
  } else {
    erase_meta(database, kUnsyncedBoot);
  }
  transaction.commit();
  if (durability == Durability::kProcess) database.execute("PRAGMA synchronous = NORMAL");
  return epoch;
}

void close_epoch(SqliteDatabase& database) {
  // This commit syncs the whole write-ahead log and thereby all commits before it.
  database.execute("PRAGMA synchronous = FULL");
  erase_meta(database, kUnsyncedBoot);
}

}  // namespace oriel
