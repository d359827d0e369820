#include "journal/check/journal_check.h"

#include "journal/sqlite/sqlite_reader.h"
#include "journal/sqlite/sqlite_schema.h"

#include <algorithm>
#include <unordered_map>

namespace oriel {
namespace {

constexpr std::size_t kMaxProblems = 100;
constexpr std::string_view kWrongIndex = "the index of the events by session is wrong";

void note(JournalCheck& check, std::string problem) {
  if (check.problems.size() < kMaxProblems) check.problems.push_back(std::move(problem));
}

std::string range_of(Sequence first, Sequence last) {
  if (first == last) return "event " + std::to_string(first) + " is missing or was changed";
  return "events " + std::to_string(first) + " to " + std::to_string(last) +
         " are missing or were changed";
}

// Reads the events in order and checks that their numbers have no holes.
class EventCheck {
 public:
  EventCheck(SqliteReader& reader, JournalCheck& check) : reader_(reader), check_(check) {}

  void run(Sequence after, std::uint64_t max_bytes) {
    std::uint64_t bytes = 0;
    while (after < check_.newest && bytes < max_bytes) {
      const Page page = reader_.read({.after = after, .filter = {}});
      // Missing events precede the records of the page.
      const Sequence end =
          page.records.empty() ? page.scanned_until : page.records.front()->sequence - 1;
      if (page.damaged != kNoSequence) {
        check_.lost += page.missed;
        note(check_, range_of(page.damaged, end));
      } else {
        check_.known_missing += page.missed;
      }
      has_holes_ |= page.missed > 0;
      for (const RecordPtr& record : page.records) {
        check_index(*record);
        bytes += record->bytes();
      }
      check_.sound += page.records.size();
      after = page.scanned_until;
    }
  }

 private:
  void check_index(const Record& record) {
    if (record.session_id.empty()) return;
    const auto [found, is_first] = next_.try_emplace(record.session_id, record.index);
    // A hole in the events is one in a session's indexes, too.
    if (!is_first && record.index != found->second && !has_holes_) {
      note(check_, "session " + record.session_id + ": the index of event " +
                       std::to_string(record.sequence) + " is " + std::to_string(record.index) +
                       " and not " + std::to_string(found->second));
    }
    found->second = record.index + 1;
  }

  SqliteReader& reader_;
  JournalCheck& check_;
  std::unordered_map<std::string, std::uint64_t> next_;  // index, by session
  bool has_holes_ = false;
};

void check_session_index(SqliteDatabase& database, JournalCheck& check) {
  const std::int64_t indexed = database.number("SELECT value FROM meta WHERE key = 'indexed'");
  const std::string until = std::to_string(indexed);
  const std::int64_t wrong = database.integer(
      "SELECT count(*) FROM session_index i LEFT JOIN events e ON e.seq = i.seq "
      "WHERE e.seq IS NULL OR e.session != i.session OR e.idx != i.idx");
  const std::int64_t absent = database.integer(
      "SELECT count(*) FROM events e WHERE e.session > 0 AND e.seq <= " + until +
      " AND NOT EXISTS (SELECT 1 FROM session_index WHERE session = e.session AND idx = e.idx)");
  if (wrong + absent > 0) note(check, std::string(kWrongIndex));
}

void check_documents(SqliteReader& reader, JournalCheck& check) {
  const auto count = [&](std::string_view, std::string_view) { ++check.documents; };
  const std::string damaged = reader.visit_documents({.prefix = ""}, count);
  if (!damaged.empty()) note(check, "the document " + damaged + " was changed");
}

// What SQLite itself finds.
void check_pages(SqliteDatabase& database, JournalCheck& check) {
  SqliteStatement statement(database, "PRAGMA integrity_check");
  SqliteRows rows = statement.query();
  while (rows.next()) {
    if (rows.text(0) != "ok") note(check, "SQLite: " + std::string(rows.text(0)));
  }
}

// Runs a part of the check; damage that ends it is a problem of its own.
template <class Part>
void run_part(JournalCheck& check, const std::string& name, Part part) {
  try {
    part();
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    note(check, name + " cannot be read: " + failure.problem());
  }
}

void check_events(SqliteDatabase& database, SqliteReader& reader, const CheckLimits& limits,
                  JournalCheck& check) {
  check.oldest = static_cast<Sequence>(database.number("SELECT coalesce(min(seq), 0) FROM events"));
  check.newest = static_cast<Sequence>(database.number("SELECT coalesce(max(seq), 0) FROM events"));
  const std::uint64_t stored = check.newest - check.oldest + 1;
  if (check.newest == kNoSequence) return;
  EventCheck(reader, check)
      .run(check.newest - std::min(limits.newest_events, stored), limits.max_bytes);
}

}  // namespace

JournalCheck check_events(const std::filesystem::path& file, const CheckLimits& limits) {
  JournalCheck check;
  SqliteDatabase database(file, SqliteDatabase::Access::kReadOnly);
  SqliteReader reader(file);
  check_events(database, reader, limits, check);
  return check;
}

JournalCheck check_journal(const std::filesystem::path& file) {
  SqliteDatabase database(file, SqliteDatabase::Access::kReadOnly);
  require_schema(database);
  SqliteReader reader(file);
  JournalCheck check;
  run_part(check, "the events", [&] { check_events(database, reader, {}, check); });
  run_part(check, "the index of the events by session",
           [&] { check_session_index(database, check); });
  run_part(check, "the documents", [&] { check_documents(reader, check); });
  run_part(check, "the file", [&] { check_pages(database, check); });
  return check;
}

}  // namespace oriel
