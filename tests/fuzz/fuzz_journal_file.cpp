// A journal file with any damage, to its numbers, its schema, its bytes or its write-ahead log, is
// refused with an exception, or opens and gives records with rising numbers; it never reads outside
// its memory. A repair makes a sound file or fails with a reason.

#include "base/log.h"
#include "base/temp_directory_testing.h"
#include "check.h"
#include "journal/check/journal_check.h"
#include "journal/check/journal_repair.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

namespace oriel {
namespace {

constexpr std::size_t kDamageBytes = 9;  // one byte that says what, and a number
constexpr std::size_t kMaxDamages = 8;

// Each is followed by a number.
constexpr std::array kStatements = {
    "PRAGMA user_version = ",
    "PRAGMA application_id = ",
    "UPDATE meta SET value = ",
    "UPDATE sessions SET removed = ",
    "UPDATE sessions SET id = 3 + ",
    "UPDATE session_index SET seq = ",
    "UPDATE session_index SET idx = idx + ",
    "UPDATE events SET seq = seq + ",
    "UPDATE events SET session = ",
    "UPDATE events SET idx = ",
    "UPDATE events SET time = ",
    "DELETE FROM events WHERE seq = ",
    "DELETE FROM events WHERE seq >= ",
    "DELETE FROM session_index WHERE idx = ",
    "UPDATE events SET content = ",
    "UPDATE events SET text_offset = ",
    "UPDATE events SET text_size = ",
    "UPDATE contents SET first = first + ",
    "UPDATE contents SET content = content + ",
    "DELETE FROM contents WHERE first >= ",
    "UPDATE events SET crc = ",
    "UPDATE documents SET value = ",
    "UPDATE documents SET crc = ",
    "UPDATE documents SET key = ",
    "REPLACE INTO meta SELECT 'known_holes', ",
};

constexpr std::array kSchemaChanges = {
    "DROP TABLE meta",
    "DROP TABLE events",
    "DROP TABLE sessions",
    "DROP TABLE session_index",
    "DROP TABLE documents",
    "DROP TABLE contents",
    "DROP INDEX events_by_content",
    "ALTER TABLE events RENAME COLUMN body TO other",
    "ALTER TABLE events ADD COLUMN other",
    "ALTER TABLE events RENAME TO other; CREATE TABLE events AS SELECT * FROM other",
    "ALTER TABLE events RENAME TO other; CREATE VIEW events AS SELECT * FROM other",
    "ALTER TABLE sessions RENAME TO other; CREATE TABLE sessions AS SELECT * FROM other",
    "ALTER TABLE documents RENAME TO other; CREATE TABLE documents AS SELECT * FROM other",
    "ALTER TABLE meta RENAME TO other; CREATE TABLE meta AS SELECT * FROM other",
    "ALTER TABLE session_index RENAME TO other;"
    "CREATE TABLE session_index AS SELECT seq AS idx, idx AS seq, session FROM other",
    "CREATE UNIQUE INDEX other ON events(type, session)",
    "CREATE TRIGGER other AFTER INSERT ON events BEGIN DELETE FROM events; END",
    "CREATE TRIGGER other BEFORE INSERT ON events BEGIN UPDATE meta SET value = -1; END",
    "CREATE TRIGGER other INSTEAD OF INSERT ON events BEGIN SELECT 1; END",
    "CREATE VIEW other AS SELECT * FROM events",
    "UPDATE documents SET value = randomblob(20)",
    "UPDATE documents SET value = zeroblob(20)",
    "UPDATE events SET body = CAST(x'00ff' AS TEXT)",
};

struct SoundFile {
  std::string database;
  std::string log;  // the latest commits
};

std::unique_ptr<JournalEngine> open_journal(const std::filesystem::path& file) {
  const Retention retention{.max_age = std::chrono::milliseconds(1), .max_bytes = 1 << 20};
  return open_sqlite_engine(
      {.file = file, .durability = Durability::kProcess, .retention = retention});
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream content(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(content), {}};
}

// As a crash leaves it, with events inside and outside of the index.
SoundFile make_sound_file() {
  const TempDirectory directory;
  const std::filesystem::path file = directory / "journal.db";
  SoundFile sound;
  for (int i = 0; i < 3; ++i) {
    const auto engine = open_journal(file);
    commit_each(*engine, {"a", "b", "", "a"});
    commit_many(*engine, 20, "c", std::string(300, 'x'));
    commit_many(*engine, 2, "a", R"("type":"message","text":")" + std::string(20'000, 'x') + "\"}");
    const Document document{.key = "session/a", .value = "{}"};
    engine->commit({}, std::span(&document, 1));
    sound = {.database = content_of(file), .log = content_of(file.string() + "-wal")};
  }
  return sound;
}

void execute(const std::filesystem::path& file, const std::string& statements) {
  try {
    SqliteDatabase(file, SqliteDatabase::Access::kReadWrite).execute(statements);
  } catch (const SqliteError&) {
    // A constraint forbids it, or earlier damage prevents it.
  }
}

void damage_structure(const std::filesystem::path& file, std::size_t what, std::int64_t number) {
  what %= kStatements.size() + kSchemaChanges.size();
  if (what < kStatements.size()) {
    execute(file, kStatements[what] + std::to_string(number));
  } else {
    execute(file, kSchemaChanges[what - kStatements.size()]);
  }
}

void damage_byte(const std::filesystem::path& file, std::uint64_t place, char value) {
  std::error_code missing;
  const std::uint64_t size = std::filesystem::file_size(file, missing);
  if (missing || size == 0) return;
  std::fstream content(file, std::ios::in | std::ios::out | std::ios::binary);
  content.seekp(static_cast<std::streamoff>(place % size));
  content.put(value);
}

void damage(const std::filesystem::path& file, std::span<const std::uint8_t> input) {
  constexpr std::uint8_t kOfLog = 0x80;
  for (std::size_t i = 0; i < kMaxDamages && input.size() >= kDamageBytes; ++i) {
    const std::uint8_t what = input[0];
    std::uint64_t number = 0;
    std::memcpy(&number, &input[1], sizeof number);
    if (what % 2 == 0) {
      damage_structure(file, what / 2, static_cast<std::int64_t>(number));
    } else {
      const char* const suffix = (what & kOfLog) != 0 ? "-wal" : "";
      damage_byte(file.string() + suffix, number >> 8, static_cast<char>(number));
    }
    input = input.subspan(kDamageBytes);
  }
}

void use(JournalEngine& engine) {
  const Page all = engine.read({});
  ORIEL_CHECK(std::ranges::is_sorted(sequences_of(all.records)));
  engine.read({.filter = of_sessions({"a", "c"})});
  engine.read_session({.session_id = "c"});
  engine.read_documents("");
  const Sequence head = engine.head();
  const NewRecords added = commit_each(engine, {"a", "new", "c"});
  ORIEL_CHECK(added.back()->sequence == head + 3);
  engine.apply_retention(WallTime(std::chrono::hours(1)));
}

// The only other outcome is a refusal with a reason.
template <class Work>
void try_to(Work work) {
  try {
    work();
  } catch (const std::runtime_error& refusal) {
    ORIEL_CHECK(std::strlen(refusal.what()) > 0);
  }
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  static const SoundFile kSound = [] {
    set_log_level("off");
    return make_sound_file();
  }();
  const TempDirectory directory;
  directory.add("journal.db", kSound.database);
  directory.add("journal.db-wal", kSound.log);
  const std::filesystem::path file = directory / "journal.db";
  damage(file, std::span(data, size));
  try_to([&] { use(*open_journal(file)); });
  try_to([&] { check_journal(file); });
  // What a repair makes is sound.
  try_to([&] {
    repair_journal(file);
    ORIEL_CHECK(check_journal(file).is_sound());
    use(*open_journal(file));
  });
  return 0;
}
