#pragma once
// What a store must do to be the journal's memory. Blocking by nature: the journal calls it on its
// own threads.

#include "base/event_filter.h"
#include "base/record.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A question for records by sequence: those in (after, until] that match, oldest first.
struct ReadQuery {
  Sequence after = kNoSequence;
  Sequence until = kMaxSequence;
  EventFilter filter;
  std::size_t max_records = 500;
  std::size_t max_bytes = 1 << 20;  // the first record is always taken
};

struct Page {
  std::vector<RecordPtr> records;
  Sequence reached =
      kNoSequence;  // every matching record up to here that is still held has been returned
  std::uint64_t missed =
      0;  // records in (after, reached] that retention has removed, whether they matched
          // or not; with sessions in the filter only those that may have been theirs
};

// A question for one session's records by their index: those after `after_index` (-1: all) that
// have one of the types (EventFilter::types).
struct SessionQuery {
  std::string session_id;
  std::int64_t after_index = -1;
  std::vector<std::string> types = {};
  std::size_t max_records = 500;
  std::size_t max_bytes = 1 << 20;
};

struct SessionPage {
  std::vector<RecordPtr> records;
  std::int64_t oldest_index = 0;  // oldest held; last_index + 1 when none is
  std::int64_t last_index = -1;   // newest ever given in this session; -1: the session is unknown
  std::int64_t reached = -1;      // every matching record up to this index has been returned
};

// The latest state of something that lives longer than its events: a session and how to resume it.
// Retention does not touch it.
struct Document {
  std::string key;
  std::string value;  // empty: removed

  bool operator==(const Document&) const = default;
};

using DocumentVisitor = std::function<void(std::string_view key, std::string_view value)>;

// Limits of what is kept. Zero means no limit.
struct Retention {
  std::chrono::milliseconds max_age{0};
  std::uint64_t max_bytes = 0;
};

// commit() and retain() are called one at a time, on the journal's thread (commit() on any, if it
// never waits); the reads on its reader's thread, at the same time as the others; epoch(), head(),
// oldest() and missed_after() from any thread, and never wait for a disk. Failures are exceptions
// that say what happened; a failed commit() has stored nothing.
class JournalEngine {
 public:
  virtual ~JournalEngine() = default;

  // The name of this life of the numbers: as long as it is the same, a sequence means the same
  // record.
  virtual const std::string& epoch() const = 0;
  virtual Sequence head() const = 0;    // newest sequence ever given; 0 when none was
  virtual Sequence oldest() const = 0;  // oldest held; head() + 1 when none is

  // How many records after this one are no longer held.
  virtual std::uint64_t missed_after(Sequence sequence) const = 0;

  // Gives each record its sequence and index and stores all of them, or none. The engine may keep
  // the pointers: nobody changes a record after its commit.
  virtual void commit(std::span<const std::shared_ptr<Record>> records,
                      std::span<const Document> documents) = 0;

  // Whether commit() waits for nothing: no disk, no network.
  virtual bool never_waits() const { return false; }

  void commit_records(std::span<const std::shared_ptr<Record>> records) { commit(records, {}); }

  virtual Page read(const ReadQuery& query) = 0;
  virtual SessionPage read_session(const SessionQuery& query) = 0;

  // Shows those whose keys begin with `prefix`, in the order of their keys. The visitor must not
  // call the engine, and the texts last only for its call.
  virtual void visit_documents(std::string_view prefix, const DocumentVisitor& visit) = 0;

  std::vector<Document> read_documents(std::string_view prefix) {
    std::vector<Document> found;
    visit_documents(prefix, [&found](std::string_view key, std::string_view value) {
      found.push_back({.key = std::string(key), .value = std::string(value)});
    });
    return found;
  }

  // Removes a slice of what retention does not keep; true when there is more to remove.
  virtual bool retain(WallTime now) = 0;
};

}  // namespace oriel
