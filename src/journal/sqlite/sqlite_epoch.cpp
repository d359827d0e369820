#include "journal/sqlite/sqlite_epoch.h"

#include "base/id.h"
#include "base/log.h"
#include "journal/entry_judge.h"
#include "journal/sqlite/event_row.h"
#include "journal/sqlite/sqlite_schema.h"
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

// Whether the file has a position in a shared log.
bool follows_log(SqliteDatabase& database) {
  SqliteStatement find(database, "SELECT value FROM documents WHERE key = ?1");
  const Document position = document_of({});
  return find.query(position.key).next();
}

void forget_log(SqliteDatabase& database) {
  log()->warn("{}: leaves its cluster; clients with old cursors will receive a gap",
              database.file().string());
  SqliteStatement(database, "DELETE FROM documents WHERE substr(key, 1, length(?1)) = ?1")
      .run(kLogDocuments);
}

}  // namespace

std::optional<std::string> announce_loss(SqliteDatabase& database, Sequence noted) {
  const auto head =
      static_cast<Sequence>(database.number("SELECT coalesce(max(seq), 0) FROM events"));
  if (noted <= head) return std::nullopt;
  const std::string loss = "the events " + std::to_string(head + 1) + " to " +
                           std::to_string(noted) + " were stored and are missing now";
  SessionEvent event;
  event.timestamp = wall_now();
  event.payload = event::Notice{.text = loss};
  const std::shared_ptr<Record> notice = to_record(event);
  notice->sequence = noted + 1;
  SqliteStatement insert(database, kInsertEvent);
  insert_event(insert, *notice, kNoSession, {});
  SqliteStatement(database, "REPLACE INTO meta VALUES ('known_holes', ?1)").run(noted);
  return loss;
}

Epoch begin_epoch(SqliteDatabase& database, const SqliteEngineOptions& options,
                  const HighWater& high_water) {
  database.execute("PRAGMA synchronous = FULL");
  const std::string boot = boot_id();
  const std::optional<std::string> unsynced_boot = find_meta(database, kUnsyncedBoot);
  const std::optional<std::string> known = find_meta(database, kEpoch);
  const bool has_position = follows_log(database);
  const bool comes_again = has_position && options.is_replica;
  const bool leaves = has_position && !options.is_replica;
  const bool may_have_lost = unsynced_boot && unsynced_boot != boot && !comes_again;
  if (known && may_have_lost) {
    log()->warn(
        "{}: the machine stopped before the last events were synced; clients with old cursors will "
        "receive a gap",
        database.file().string());
  }

  SqliteTransaction transaction(database, SqliteTransaction::Kind::kWrite);
  Epoch epoch;
  if (known) epoch.id = *known;
  if (known && !comes_again) epoch.loss = announce_loss(database, high_water.found_in(*known));
  if (leaves) forget_log(database);
  if (!known || may_have_lost || epoch.loss || leaves) {
    const bool is_given = !known && !options.new_epoch.empty();
    epoch.id = is_given ? options.new_epoch : random_id();
    set_meta(database, kEpoch, epoch.id);
  }
  if (!options.next_epoch.empty() && options.next_epoch != epoch.id) {
    epoch.id = options.next_epoch;
    set_meta(database, kEpoch, epoch.id);
  }
  if (options.durability == Durability::kProcess) {
    set_meta(database, kUnsyncedBoot, boot);
  } else {
    erase_meta(database, kUnsyncedBoot);
  }
  transaction.commit();
  if (options.durability == Durability::kProcess) database.execute("PRAGMA synchronous = NORMAL");
  return epoch;
}

void close_epoch(SqliteDatabase& database) {
  // This commit syncs the whole write-ahead log and thereby all commits before it.
  database.execute("PRAGMA synchronous = FULL");
  erase_meta(database, kUnsyncedBoot);
}

void settle_copy(SqliteDatabase& copy) {
  erase_meta(copy, kUnsyncedBoot);
}

}  // namespace oriel
