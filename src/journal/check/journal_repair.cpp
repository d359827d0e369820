#include "journal/check/journal_repair.h"

#include "base/failpoint.h"
#include "base/id.h"
#include "base/time.h"
#include "journal/sqlite/event_row.h"
#include "journal/sqlite/high_water.h"
#include "journal/sqlite/sqlite_contents.h"
#include "journal/sqlite/sqlite_epoch.h"
#include "journal/sqlite/sqlite_reader.h"
#include "journal/sqlite/sqlite_schema.h"
#include "posix/file_lock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>
#include <unordered_map>

namespace oriel {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& action, const fs::path& file) {
  throw std::runtime_error("cannot " + action + " " + file.string() + ": " + std::strerror(errno));
}

// The log's commits belong to the old file: SQLite would apply a log that is left to the new one.
void move_log_into(const fs::path& file) {
  {
    SqliteDatabase database(file, SqliteDatabase::Access::kReadWrite);
    require_schema(database);
    database.execute("PRAGMA synchronous = FULL");
    database.checkpoint();
  }
  const fs::path log = file.string() + "-wal";
  if (!fs::exists(log)) return;
  if (fs::file_size(log) > 0)
    throw std::runtime_error(log.string() + " is in use by another program");
  fs::remove(log);  // a repair that was killed after its rename leaves it
}

// Fills the new file.
class Rescue {
 public:
  Rescue(const fs::path& from, const fs::path& to)
      : from_(from),
        old_(from, SqliteDatabase::Access::kReadOnly),
        reader_(from),
        new_(to, SqliteDatabase::Access::kReadWrite) {
    new_.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = MEMORY");
    migrate(new_);
  }

  JournalRepair run() {
    SqliteTransaction transaction(new_, SqliteTransaction::Kind::kWrite);
    copy_sessions();
    copy_events();
    copy_documents();
    new_.execute(
        "INSERT OR IGNORE INTO session_index SELECT session, idx, seq FROM events "
        "WHERE session > 0 ORDER BY session, idx;"
        "UPDATE meta SET value = (SELECT coalesce(max(seq), 0) FROM events) WHERE key = 'indexed';"
        "INSERT INTO meta SELECT 'known_holes', coalesce(max(seq), 0) FROM events");
    reserve_assigned();
    set_meta(new_, "epoch", random_id());
    transaction.commit();
    new_.sync();
    return done_;
  }

 private:
  // Also those without events, which have a next index.
  void copy_sessions() {
    SqliteStatement select(old_, "SELECT id, name, removed FROM sessions");
    SqliteStatement insert(new_, "INSERT OR IGNORE INTO sessions VALUES (?1, ?2, ?3)");
    try {
      SqliteRows row = select.query();
      while (row.next()) {
        insert.run(row.number(0), row.text(1), row.number(2));
        sessions_.try_emplace(std::string(row.text(1)), row.number(0));
      }
    } catch (const SqliteError& failure) {
      if (!failure.is_damage()) throw;
    }
  }

  void copy_events() {
    SqliteStatement insert(new_, kInsertEvent);
    SqliteContents contents(new_);
    const auto oldest =
        static_cast<Sequence>(old_.number("SELECT coalesce(min(seq), 1) FROM events"));
    const Sequence head = head_of_old();
    Sequence after = oldest - 1;
    while (after < head) {
      const Page page = reader_.read({.after = after, .filter = {}});
      done_.lost += page.missed;
      done_.events += page.records.size();
      for (const RecordPtr& record : page.records)
        insert_event(insert, *record, session_of(*record), contents.store(record));
      after = page.scanned_until;
    }
  }

  std::int64_t session_of(const Record& record) {
    if (record.session_id.empty()) return 0;
    const auto [found, is_new] = sessions_.try_emplace(record.session_id, 0);
    if (is_new) {
      SqliteStatement insert(new_, "INSERT INTO sessions(name) VALUES (?1) RETURNING id");
      SqliteRows row = insert.query(record.session_id);
      row.expect();
      found->second = row.number(0);
    }
    return found->second;
  }

  void copy_documents() {
    SqliteStatement insert(new_, "INSERT INTO documents VALUES (?1, ?2, ?3)");
    const auto copy = [&](std::string_view key, std::string_view value) {
      insert.run(key, value, checksum_of_document(key, value));
      ++done_.documents;
    };
    try {
      reader_.visit_documents({.prefix = ""}, copy);
    } catch (const SqliteError& failure) {
      if (!failure.is_damage()) throw;
    }
  }

  // The new epoch must not assign the numbers of a lost tail again.
  void reserve_assigned() {
    const Sequence head = head_of_old();
    const HighWater high_water(from_.string() + ".head", HighWater::Sync::kNever);
    const Sequence noted = high_water.found_in(find_meta(old_, "epoch").value_or(""));
    announce_loss(new_, std::max(head, noted));
    if (noted > head) done_.lost += noted - head;
  }

  Sequence head_of_old() {
    return static_cast<Sequence>(old_.number("SELECT coalesce(max(seq), 0) FROM events"));
  }

  const fs::path from_;
  SqliteDatabase old_;
  SqliteReader reader_;
  SqliteDatabase new_;
  std::unordered_map<std::string, std::int64_t> sessions_;
  JournalRepair done_;
};

void sync_directory_of(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const FileDescriptor opened(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || fsync(opened.get()) != 0) fail("sync", directory);
}

}  // namespace

JournalRepair repair_journal(const fs::path& file) {
  if (!fs::exists(file)) throw std::runtime_error("there is no " + file.string());
  const FileLock lock(file.string() + ".lock");
  move_log_into(file);

  const fs::path draft = file.string() + ".repaired";
  fs::remove(draft);  // left by a repair that was interrupted
  {
    const FileDescriptor created(open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!created) fail("create", draft);
  }
  JournalRepair done = Rescue(file, draft).run();

  done.old_file = file.string() + ".damaged-" + format_time(wall_now());
  // At no moment there is no journal.
  if (link(file.c_str(), done.old_file.c_str()) != 0) fail("keep the old file as", done.old_file);
  ORIEL_FAILPOINT(kRenameBefore);
  if (rename(draft.c_str(), file.c_str()) != 0) fail("replace", file);
  ORIEL_FAILPOINT(kRenameAfter);
  sync_directory_of(file);
  return done;
}

}  // namespace oriel
