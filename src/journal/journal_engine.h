#pragma once
// The storage behind the journal: numbers, stores and finds records. Blocking; the journal calls it
// on its own threads.

#include "base/event/event_filter.h"
#include "base/event/record.h"
#include "journal/document.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Selects records with a sequence in (after, until] that match, oldest first.
struct ReadQuery {
  Sequence after = kNoSequence;
  Sequence until = kMaxSequence;
  EventFilter filter;
  std::size_t max_records = 500;
  std::size_t max_bytes = 1 << 20;  // the first record is always included
};

struct Page {
  std::vector<RecordPtr> records;
  // All matching records up to here have been returned; the next page starts after it.
  Sequence scanned_until = kNoSequence;
  // Records in (after, scanned_until] that are damaged or removed by retention, matching or not.
  // With sessions in the filter, only records that may belong to them. Damaged records come before
  // the first of `records`.
  std::uint64_t missed = 0;
  Sequence damaged = kNoSequence;  // first damaged sequence in the range
  bool has_damaged_index = false;  // it was read around, at a higher cost
};

// Selects records of one session by index.
struct SessionQuery {
  std::string session_id;
  std::int64_t after_index = -1;        // -1: from the first
  std::vector<std::string> types = {};  // as EventFilter::types
  std::size_t max_records = 500;
  std::size_t max_bytes = 1 << 20;  // the first record is always included
};

struct SessionPage {
  std::vector<RecordPtr> records;
  std::int64_t oldest_index = 0;    // oldest stored; last_index + 1 if none is
  std::int64_t last_index = -1;     // newest ever assigned; -1: the session is unknown
  std::int64_t scanned_until = -1;  // all matching records up to this index have been returned
  Sequence damaged = kNoSequence;   // as in a Page; such records are left out
  bool has_damaged_index = false;   // as in a Page
};

// Selects documents whose keys start with `prefix` and come after `after`, ordered by key.
struct DocumentQuery {
  std::string prefix;
  std::string after = {};  // empty: from the first
  std::size_t max_documents = std::numeric_limits<std::size_t>::max();
};

using DocumentVisitor = std::function<void(std::string_view key, std::string_view value)>;

// Limits on stored records. Zero means no limit.
struct Retention {
  std::chrono::milliseconds max_age{0};
  std::uint64_t max_bytes = 0;
};

// Thrown if stored data is permanently unreadable.
class StorageDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown by a write if earlier commits may be lost, too. Nothing may be written afterwards.
class StorageLoss : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  // `problem`: of the sync, in the words of SQLite or the kernel.
  static StorageLoss of_failed_sync(const std::string& problem) {
    return StorageLoss("the disk did not confirm what was written (" + problem + ")");
  }
};

// Threads: commit(), document(), retention and loss() are called on the journal's thread, the reads
// on its reader's thread, at the same time. epoch(), head(), oldest() and missed_after() are safe
// from any thread and never wait for the disk.
//
// Failures are exceptions. A commit() that throws has stored nothing, unless it is a StorageLoss:
// then the records may or may not be there after a restart.
class JournalEngine {
 public:
  virtual ~JournalEngine() = default;

  // Identifies one run of sequences: within an epoch a sequence always means the same record.
  virtual const std::string& epoch() const = 0;
  virtual Sequence head() const = 0;    // newest sequence ever assigned; 0 if none was
  virtual Sequence oldest() const = 0;  // oldest stored; head() + 1 if none is

  // Number of records after this sequence that retention has removed.
  virtual std::uint64_t missed_after(Sequence sequence) const = 0;

  // Assigns each record its sequence and index and stores everything, or nothing. The engine may
  // keep the pointers: a record does not change after its commit.
  virtual void commit(std::span<const std::shared_ptr<Record>> records,
                      std::span<const Document> documents) = 0;

  void commit_records(std::span<const std::shared_ptr<Record>> records) { commit(records, {}); }

  // The value of a document as committed; empty: there is none.
  virtual std::string document(const std::string& key) = 0;

  virtual Page read(const ReadQuery& query) = 0;
  virtual SessionPage read_session(const SessionQuery& query) = 0;

  // Visits what a query selects. The views are valid during the call; the visitor must not call the
  // engine. Leaves damaged ones out, and returns the key of the first of them; empty: there are
  // none.
  virtual std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) = 0;

  std::vector<Document> read_documents(const DocumentQuery& query) {
    std::vector<Document> found;
    visit_documents(query, [&found](std::string_view key, std::string_view value) {
      found.push_back({.key = std::string(key), .value = std::string(value)});
    });
    return found;
  }

  std::vector<Document> read_documents(std::string_view prefix) {
    return read_documents({.prefix = std::string(prefix)});
  }

  // The time of the newest record that was stored before; none if there is none.
  virtual std::optional<WallTime> newest_time() { return std::nullopt; }

  // Removes a slice of the records beyond the retention limits; true if there are more. The newest
  // record is never removed.
  virtual bool apply_retention(WallTime now) = 0;

  // Removes up to `max_records` records that are too old at `now`, and returns their number. Never
  // removes the newest record.
  virtual std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) = 0;

  // Writes a copy of everything committed into a file that does not exist, while commits and reads
  // go on. On any thread. Throws std::runtime_error, also if this kind of storage has no file.
  virtual void copy_to(const std::filesystem::path& /*file*/) {
    throw std::runtime_error("events in memory cannot be copied to a file");
  }

  // What was found damaged or missing when the storage was opened; none if it seems sound.
  virtual std::optional<std::string> opening_damage() const { return std::nullopt; }

  // The reason why further commits would be lost, such as a deleted file; none if storage is
  // intact.
  virtual std::optional<std::string> loss() { return std::nullopt; }
};

}  // namespace oriel
