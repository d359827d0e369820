#include "journal/sqlite/sqlite_engine.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "journal/check/journal_check.h"
#include "journal/checkpoint/sqlite_checkpointer.h"
#include "journal/checkpoint/transaction_gate.h"
#include "journal/sqlite/event_row.h"
#include "journal/sqlite/file_identity.h"
#include "journal/sqlite/high_water.h"
#include "journal/sqlite/sqlite_contents.h"
#include "journal/sqlite/sqlite_copy.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_epoch.h"
#include "journal/sqlite/sqlite_reader.h"
#include "journal/sqlite/sqlite_retention.h"
#include "journal/sqlite/sqlite_schema.h"
#include "journal/sqlite/sqlite_sessions.h"
#include "posix/file_descriptor.h"
#include "posix/file_lock.h"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <limits>
#include <sqlite3.h>
#include <unistd.h>

namespace oriel {
namespace {

constexpr CheckLimits kOpeningCheck{.newest_events = 4096, .max_bytes = 64 << 20};
constexpr std::uint64_t kMinSliceBytes = 128 << 10;  // some hundred events: a millisecond or two

// Events are private to the user who runs the server. SQLite gives its other files the same mode.
const std::filesystem::path& make_private(const std::filesystem::path& file) {
  const FileDescriptor created(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  return file;
}

void enter_wal_mode(SqliteDatabase& database) {
  database.execute("PRAGMA page_size = 4096");
  SqliteStatement enter(database, "PRAGMA journal_mode = WAL");
  SqliteRows mode = enter.query();
  mode.expect();
  if (mode.text(0) != "wal") {
    throw std::runtime_error(database.file().string() +
                             ": its file system does not support shared memory, which SQLite's "
                             "write-ahead log needs; choose a --data-dir on a local disk");
  }
}

// Sets the file up and returns its epoch.
Epoch prepare(SqliteDatabase& database, const SqliteEngineOptions& options,
              const HighWater& high_water) {
  enter_wal_mode(database);
  database.execute("PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864");
  migrate(database);
  check_numbers(database);
  Epoch epoch = begin_epoch(database, options, high_water);
  // A file that loses its write-ahead log must still know its epoch.
  database.checkpoint();
  return epoch;
}

// The loss that the epoch announces, or damage of the newest events.
std::optional<std::string> find_damage(const std::filesystem::path& file, const Epoch& epoch) {
  if (epoch.loss) return epoch.loss;
  const JournalCheck check = check_events(file, kOpeningCheck);
  if (check.is_sound()) return std::nullopt;
  return check.problems.front();
}

// Evicted sessions start again at index 0. Which ones are evicted depends on retention, which may
// differ between nodes.
SqliteSessionsOptions session_options(const SqliteEngineOptions& options) {
  SqliteSessionsOptions sessions;
  if (options.is_replica) sessions.max_sessions = std::numeric_limits<std::int64_t>::max();
  return sessions;
}

class SqliteEngine final : public JournalEngine {
 public:
  explicit SqliteEngine(const SqliteEngineOptions& options);
  ~SqliteEngine() override;

  const std::string& epoch() const override { return epoch_.id; }

  Sequence head() const override { return head_; }

  Sequence oldest() const override { return oldest_; }

  std::uint64_t missed_after(Sequence sequence) const override;

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override;
  std::optional<WallTime> newest_time() override;
  bool apply_retention(WallTime now) override;
  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override;

  std::optional<std::string> opening_damage() const override { return opening_damage_; }

  std::optional<std::string> loss() override;
  void copy_to(const std::filesystem::path& file) override;

  std::string document(const std::string& key) override;
  Page read(const ReadQuery& query) override;
  SessionPage read_session(const SessionQuery& query) override;
  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) override;

 private:
  void store(std::span<const std::shared_ptr<Record>> records, std::span<const Document> documents);
  void index_around_damage();
  template <class Work>
  void transact(Work work);
  template <class Work>
  auto examine(TransactionGate::Access access, Work work);
  void rolled_back();
  std::uint64_t remove(const SqliteRetention::Slice& slice);
  void note_high_water(Sequence head);
  std::optional<std::string> failed_sync();

  FileLock lock_;
  SqliteDatabase database_;
  HighWater high_water_;
  const Epoch epoch_;
  const FileIdentity lock_file_;  // without it, another process could open the journal, too
  const FileIdentity file_;
  // SQLite keeps one open all the time, and continues to write to it after its deletion.
  const FileIdentity log_file_;
  SqliteSessions sessions_;
  SqliteContents contents_;
  SqliteRetention retention_;
  SqliteStatement insert_;
  SqliteStatement put_document_;
  SqliteStatement remove_document_;
  SqliteStatement find_document_;
  SqliteReader reader_;
  TransactionGate gate_;
  SqliteCheckpointer checkpointer_;

  std::atomic<Sequence> head_;
  std::atomic<Sequence> oldest_;
  const std::optional<std::string> opening_damage_;
  std::uint64_t committed_bytes_ = 0;       // in the last commit
  std::optional<std::string> failed_sync_;  // what was not confirmed
};

SqliteEngine::SqliteEngine(const SqliteEngineOptions& options)
    : lock_(options.file.string() + ".lock"),
      database_(make_private(options.file), SqliteDatabase::Access::kReadWrite),
      high_water_(options.file.string() + ".head", options.durability == Durability::kPower
                                                       ? HighWater::Sync::kAlways
                                                       : HighWater::Sync::kNever),
      epoch_(prepare(database_, options, high_water_)),
      lock_file_(options.file.string() + ".lock"),
      file_(options.file),
      log_file_(options.file.string() + "-wal"),
      sessions_(database_, session_options(options)),
      contents_(database_),
      retention_(database_, sessions_, contents_, options.retention),
      insert_(database_, kInsertEvent),
      put_document_(database_, "REPLACE INTO documents VALUES (?1, ?2, ?3)"),
      remove_document_(database_, "DELETE FROM documents WHERE key = ?1"),
      find_document_(database_, "SELECT value FROM documents WHERE key = ?1"),
      reader_(options.file),
      checkpointer_(options.file, gate_),
      head_(static_cast<Sequence>(database_.number("SELECT coalesce(max(seq), 0) FROM events"))),
      oldest_(static_cast<Sequence>(database_.number("SELECT coalesce(min(seq), 1) FROM events"))),
      opening_damage_(find_damage(options.file, epoch_)) {
  if (head_ > kNoSequence) high_water_.note(epoch_.id, head_);
}

SqliteEngine::~SqliteEngine() {
  try {
    if (failed_sync()) {
      // The next start finds everything as it is now.
      database_.keep_log_when_closed();
      return;
    }
    close_epoch(database_);
  } catch (const std::exception& failure) {
    log()->error("journal: cannot close it cleanly: {}", failure.what());
  }
}

std::uint64_t SqliteEngine::missed_after(Sequence sequence) const {
  const Sequence next = sequence + 1;
  const Sequence oldest = oldest_;
  return oldest > next ? oldest - next : 0;
}

void SqliteEngine::commit(std::span<const std::shared_ptr<Record>> records,
                          std::span<const Document> documents) {
  try {
    store(records, documents);
  } catch (const StorageDamage& damage) {
    log()->warn("journal: {}; events that cannot be read are left out of the index", damage.what());
    index_around_damage();
    store(records, documents);
  }
}

// A commit updates the index by session, for which it reads the newest events.
void SqliteEngine::index_around_damage() {
  SqliteReader reader(database_.file());
  transact([&] { sessions_.index_readable(reader); });
}

void SqliteEngine::store(std::span<const std::shared_ptr<Record>> records,
                         std::span<const Document> documents) {
  Sequence head = head_;
  std::uint64_t bytes = 0;
  transact([&] {
    for (const std::shared_ptr<Record>& record : records) {
      SqliteSessions::Position position;
      if (!record->session_id.empty()) position = sessions_.next_position(record->session_id);
      record->sequence = ++head;
      record->index = static_cast<std::uint64_t>(position.index);
      insert_event(insert_, *record, position.session, contents_.store(record));
      bytes += record->bytes();
    }
    sessions_.appended(head);
    if (!records.empty()) ORIEL_FAILPOINT(kWriteAfter);
    if (!documents.empty()) ORIEL_FAILPOINT(kDocumentBefore);
    for (const Document& document : documents) {
      if (document.value.empty()) {
        remove_document_.run(document.key);
      } else {
        put_document_.run(document.key, document.value,
                          checksum_of_document(document.key, document.value));
      }
    }
    if (!documents.empty()) ORIEL_FAILPOINT(kDocumentAfter);
  });
  // Before anything is acknowledged.
  if (head > head_) note_high_water(head);
  head_ = head;
  committed_bytes_ = bytes;
}

void SqliteEngine::note_high_water(Sequence head) {
  try {
    high_water_.note(epoch_.id, head);
  } catch (const StorageLoss& loss) {
    failed_sync_ = loss.what();
    throw;
  }
}

// Reads within a pass of the gate.
template <class Work>
auto SqliteEngine::examine(TransactionGate::Access access, Work work) {
  const auto pass = gate_.enter(access);
  try {
    return work();
  } catch (const SqliteError& failure) {
    // Omits the path: publishers and clients of /health see this.
    if (failure.is_damage()) throw StorageDamage(failure.problem());
    throw std::runtime_error(failure.problem());
  }
}

std::optional<WallTime> SqliteEngine::newest_time() {
  SqliteStatement newest(database_, "SELECT time FROM events ORDER BY seq DESC LIMIT 1");
  SqliteRows row = newest.query();
  if (!row.next()) return std::nullopt;
  return WallTime(std::chrono::milliseconds(row.integer(0)));
}

bool SqliteEngine::apply_retention(WallTime now) {
  // Removes more than the last commit added, so that retention keeps up with any load.
  const std::uint64_t max_bytes = std::max(kMinSliceBytes, 2 * committed_bytes_);
  const auto next = [&] { return retention_.next_slice(now, head_, max_bytes); };
  const SqliteRetention::Slice slice = examine(TransactionGate::Access::kWrite, next);
  remove(slice);
  return !slice.is_final;
}

std::uint64_t SqliteEngine::remove_aged(WallTime now, std::uint64_t max_records) {
  const auto next = [&] { return retention_.next_aged(now, head_, max_records); };
  return remove(examine(TransactionGate::Access::kWrite, next));
}

// Returns how many events that were.
std::uint64_t SqliteEngine::remove(const SqliteRetention::Slice& slice) {
  if (slice.last == kNoSequence) return 0;
  transact([&] { retention_.remove(slice); });
  const Sequence first = oldest_.exchange(slice.last + 1);
  return slice.last + 1 - first;
}

std::optional<std::string> SqliteEngine::loss() {
  if (const auto reason = failed_sync()) return reason;
  for (const FileIdentity* identity : {&file_, &log_file_, &lock_file_}) {
    if (identity->is_there()) continue;
    return identity->file().filename().string() +
           " was deleted or replaced while the server was running";
  }
  return std::nullopt;
}

void SqliteEngine::copy_to(const std::filesystem::path& file) {
  try {
    copy_database(database_.file(), file);
  } catch (const SqliteError& failure) {
    throw std::runtime_error("cannot copy the journal to " + file.string() + ": " +
                             failure.problem());
  }
}

// Why writes have ended although the file works: a sync has failed.
std::optional<std::string> SqliteEngine::failed_sync() {
  if (failed_sync_) return failed_sync_;
  if (const auto problem = checkpointer_.failed_sync())
    failed_sync_ = StorageLoss::of_failed_sync(*problem).what();
  return failed_sync_;
}

template <class Work>
void SqliteEngine::transact(Work work) {
  if (const auto reason = failed_sync()) throw StorageLoss(*reason);
  try {
    const auto pass = gate_.enter(TransactionGate::Access::kWrite);
    SqliteTransaction transaction(database_, SqliteTransaction::Kind::kWrite);
    work();
    ORIEL_FAILPOINT(kCommitBefore);
    transaction.commit();
    ORIEL_FAILPOINT(kCommitAfter);
  } catch (const SqliteError& failure) {
    rolled_back();
    if (failure.is_failed_sync())
      failed_sync_ = StorageLoss::of_failed_sync(failure.problem()).what();
    if (const auto reason = failed_sync()) throw StorageLoss(*reason);
    if (failure.is_damage()) throw StorageDamage(failure.problem());
    throw std::runtime_error(failure.problem());  // without the file's path, as in examine()
  } catch (...) {
    rolled_back();
    throw;
  }
  checkpointer_.committed(database_.wal_pages());
}

void SqliteEngine::rolled_back() {
  sessions_.rolled_back();
  contents_.rolled_back();
}

std::string SqliteEngine::document(const std::string& key) {
  return examine(TransactionGate::Access::kWrite, [&] {
    SqliteRows row = find_document_.query(key);
    return row.next() ? std::string(row.text(0)) : std::string();
  });
}

Page SqliteEngine::read(const ReadQuery& query) {
  return examine(TransactionGate::Access::kRead, [&] { return reader_.read(query); });
}

SessionPage SqliteEngine::read_session(const SessionQuery& query) {
  return examine(TransactionGate::Access::kRead, [&] { return reader_.read_session(query); });
}

std::string SqliteEngine::visit_documents(const DocumentQuery& query,
                                          const DocumentVisitor& visit) {
  return examine(TransactionGate::Access::kRead,
                 [&] { return reader_.visit_documents(query, visit); });
}

std::string remedy(int code) {
  switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "the file is damaged or not a journal: move it away to start with an empty one, or "
             "choose another --data-dir";
    case SQLITE_BUSY:
      return "another program has it open: close that program first";
    case SQLITE_FULL:
      return "free space on its disk";
    default:
      return "check that the file and its directory are readable and writable";
  }
}

}  // namespace

std::unique_ptr<JournalEngine> open_sqlite_engine(SqliteEngineOptions options) {
  try {
    return std::make_unique<SqliteEngine>(options);
  } catch (const SqliteError& failure) {
    throw std::runtime_error(std::string("cannot open the journal ") + failure.what() + "; " +
                             remedy(failure.code()));
  }
}

}  // namespace oriel
