// A journal file with any damage, to its numbers or to its bytes, is refused with an exception, or
// opens and gives records with rising numbers; it never reads outside its memory.

#include "base/log.h"
#include "base/temp_directory_testing.h"
#include "check.h"
#include "journal/engine_testing.h"
#include "journal/sqlite_database.h"
#include "journal/sqlite_engine.h"

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
};

std::unique_ptr<JournalEngine> open_journal(const std::filesystem::path& file) {
  const Retention retention{.max_age = std::chrono::milliseconds(1), .max_bytes = 1 << 20};
  return open_sqlite_engine(
      {.file = file, .durability = Durability::kProcess, .retention = retention});
}

// A sound file, with events inside and outside of the index.
std::string make_sound_file() {
  const TempDirectory directory;
  const std::filesystem::path file = directory / "journal.db";
  for (int i = 0; i < 3; ++i) {
    const auto engine = open_journal(file);
    commit_each(*engine, {"a", "b", "", "a"});
    commit_many(*engine, 20, "c", std::string(300, 'x'));
    commit_many(*engine, 2, "a", R"("type":"message","text":")" + std::string(20'000, 'x') + "\"}");
    const Document document{.key = "session/a", .value = "{}"};
    engine->commit({}, std::span(&document, 1));
  }
  std::ifstream content(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(content), {}};
}

void damage_number(const std::filesystem::path& file, std::uint8_t what, std::int64_t number) {
  try {
    SqliteDatabase database(file, SqliteDatabase::Access::kReadWrite);
    database.execute(kStatements[what % kStatements.size()] + std::to_string(number));
  } catch (const SqliteError&) {
    // A constraint forbids it, or earlier damage prevents it.
  }
}

void damage_byte(const std::filesystem::path& file, std::uint64_t place, char value) {
  const std::uint64_t size = std::filesystem::file_size(file);
  std::fstream content(file, std::ios::in | std::ios::out | std::ios::binary);
  content.seekp(static_cast<std::streamoff>(place % size));
  content.put(value);
}

void damage(const std::filesystem::path& file, std::span<const std::uint8_t> input) {
  for (std::size_t i = 0; i < kMaxDamages && input.size() >= kDamageBytes; ++i) {
    const std::uint8_t what = input[0];
    std::uint64_t number = 0;
    std::memcpy(&number, &input[1], sizeof number);
    if (what % 2 == 0) {
      damage_number(file, what / 2, static_cast<std::int64_t>(number));
    } else {
      damage_byte(file, number >> 8, static_cast<char>(number));
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

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  static const std::string kSound = [] {
    set_log_level("off");
    return make_sound_file();
  }();
  const TempDirectory directory;
  directory.add("journal.db", kSound);
  const std::filesystem::path file = directory / "journal.db";
  damage(file, std::span(data, size));
  try {
    use(*open_journal(file));
  } catch (const std::runtime_error& refusal) {
    ORIEL_CHECK(std::strlen(refusal.what()) > 0);
  }
  return 0;
}
