// Long texts in the SQLite journal: stored once, read back byte by byte.

#include "base/event/event_json.h"
#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::SizeIs;

constexpr std::int64_t kKib = 1024;

// Some bytes more, of characters that are escaped or longer than a byte; begins with any shorter
// one.
std::string text_of(std::size_t bytes) {
  constexpr std::string_view kWords = "A line with \"quotes\", \\ and \u2603.\n";
  std::string text;
  while (text.size() < bytes)
    text += kWords;
  return text;
}

std::shared_ptr<Record> record_of(const std::string& session_id, EventPayload payload) {
  SessionEvent event;
  event.session_id = session_id;
  event.timestamp = WallTime(milliseconds(1));
  event.payload = std::move(payload);
  auto record = new_record(session_id, serialize_body(event));
  record->time = event.timestamp;
  record->event_type = event.type();
  return record;
}

std::shared_ptr<Record> message(const std::string& session_id, std::string text) {
  return record_of(session_id, event::AssistantMessage{.number = 1, .text = std::move(text)});
}

void commit_one(JournalEngine& engine, const std::shared_ptr<Record>& record) {
  engine.commit_records(std::span(&record, 1));
}

// All stored records, of as many pages as they take.
std::vector<RecordPtr> read_all(JournalEngine& engine) {
  std::vector<RecordPtr> records;
  Sequence last = kNoSequence;
  while (last < engine.head()) {
    const Page page = engine.read({.after = last, .filter = {}});
    last = page.scanned_until;
    records.insert(records.end(), page.records.begin(), page.records.end());
  }
  return records;
}

class SqliteContents : public testing::Test {
 protected:
  std::unique_ptr<JournalEngine> open(Retention retention = {}) {
    return open_sqlite_engine(
        {.file = file_, .durability = Durability::kProcess, .retention = retention});
  }

  void execute(const std::string& sql) {
    SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite).execute(sql);
  }

  std::int64_t number(const std::string& sql) {
    return SqliteDatabase(file_, SqliteDatabase::Access::kReadWrite).integer(sql);
  }

  std::int64_t content_bytes() {
    return number("SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM contents");
  }

  std::int64_t body_bytes() {
    return number("SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) FROM events");
  }

  TempDirectory directory_;
  const std::filesystem::path file_ = directory_ / "journal.db";
};

TEST_F(SqliteContents, StoreAGrowingAnswerOnceWithItsCompletionAndTurn) {
  const std::string answer = text_of(1 << 20);
  NewRecords records;
  for (std::size_t size = 1 << 15; size < answer.size(); size += size / 4)
    records.push_back(message("a", text_of(size)));
  records.push_back(message("a", answer));
  event::Completion completion;
  completion.text = answer;
  records.push_back(record_of("a", completion));
  Turn turn;
  turn.text = answer;
  records.push_back(record_of("a", event::TurnCreated{.turn = turn, .message_index = {}}));
  const auto engine = open();
  for (const auto& record : records)
    commit_one(*engine, record);

  const std::vector<RecordPtr> stored = read_all(*engine);
  ASSERT_EQ(stored.size(), records.size());
  for (std::size_t i = 0; i < stored.size(); ++i)
    EXPECT_TRUE(stored[i]->body == records[i]->body) << i;
  const auto escaped = static_cast<std::int64_t>(records.back()->body.size());
  EXPECT_LE(content_bytes(), escaped);
  EXPECT_LE(body_bytes(), static_cast<std::int64_t>(records.size()) * kKib);
}

TEST_F(SqliteContents, LeaveShortTextsInTheirEvents) {
  commit_one(*open(), message("a", text_of(10'000)));
  EXPECT_EQ(number("SELECT content FROM events"), 0);
  EXPECT_EQ(content_bytes(), 0);
}

TEST_F(SqliteContents, OfInterleavedSessionsAreEachStoredOnce) {
  const auto engine = open();
  for (const std::size_t size : {20'000, 40'000, 80'000}) {
    for (const char* session : {"a", "b", ""})
      commit_one(*engine, message(session, text_of(size)));
  }
  EXPECT_EQ(number("SELECT count(DISTINCT content) FROM contents"), 3);
}

TEST_F(SqliteContents, OfAnAnswerAreStoredOnceAroundLongToolOutputs) {
  const auto engine = open();
  for (int i = 1; i <= 4; ++i) {
    const auto size = static_cast<std::size_t>(i) * 20'000;
    commit_one(*engine, message("a", text_of(size)));
    commit_one(*engine, message("a", std::to_string(i) + text_of(20'000)));
  }
  EXPECT_EQ(number("SELECT count(DISTINCT content) FROM contents"), 5);
}

TEST_F(SqliteContents, ThatAFailedCommitWroteAreWrittenAgain) {
  const auto engine = open();
  commit_one(*engine, message("a", text_of(20'000)));
  execute("CREATE UNIQUE INDEX refuse ON events(type)");
  EXPECT_THROW(commit_one(*engine, message("a", text_of(40'000))), std::runtime_error);
  execute("DROP INDEX refuse");
  const auto last = message("a", text_of(60'000));
  commit_one(*engine, last);
  const std::vector<RecordPtr> stored = read_all(*engine);
  ASSERT_THAT(stored, SizeIs(2));
  EXPECT_TRUE(stored.back()->body == last->body);
}

TEST_F(SqliteContents, AreRemovedWithTheirLastEvent) {
  const auto engine = open({.max_age = milliseconds(1), .max_bytes = 0});
  commit_one(*engine, message("a", text_of(20'000)));
  commit_one(*engine, message("a", text_of(40'000)));
  commit_one(*engine, message("b", text_of(30'000)));
  const std::int64_t all = content_bytes();
  engine->remove_aged(WallTime(milliseconds(10)), 1);
  EXPECT_EQ(content_bytes(), all) << "event 2 needs the content of event 1";
  engine->remove_aged(WallTime(milliseconds(10)), 1);
  EXPECT_LT(content_bytes(), 40'000) << "only that of b is left";
  EXPECT_THAT(sequences_of(read_all(*engine)), ElementsAre(3));
}

TEST_F(SqliteContents, GrowAfterTheRemovalOfTheirEvents) {
  const auto engine = open({.max_age = milliseconds(1), .max_bytes = 0});
  commit_one(*engine, message("a", text_of(20'000)));
  commit_each(*engine, {"b"});
  engine->remove_aged(WallTime(milliseconds(10)), 1);
  const auto grown = message("a", text_of(40'000));
  commit_one(*engine, grown);
  const std::vector<RecordPtr> stored = read_all(*engine);
  ASSERT_THAT(stored, SizeIs(2));
  EXPECT_TRUE(stored.back()->body == grown->body);
}

TEST_F(SqliteContents, CountForRetentionBySize) {
  const auto engine = open({.max_age = milliseconds(0), .max_bytes = 1 << 20});
  for (int i = 0; i < 20; ++i)
    commit_one(*engine, message("a", std::to_string(i) + text_of(200'000)));
  while (engine->apply_retention(WallTime(milliseconds(1)))) {
  }
  EXPECT_LE(content_bytes(), 1 << 20);
  EXPECT_GE(content_bytes(), 1 << 19) << "no more than necessary is removed";
}

TEST_F(SqliteContents, ThatAreDamagedMakeTheirEventsAGap) {
  {
    const auto engine = open();
    commit_one(*engine, message("a", text_of(20'000)));
    commit_one(*engine, message("a", text_of(600'000)));
    commit_each(*engine, {"a"});
  }
  const std::string original = (directory_ / "original.db").string();
  std::filesystem::copy_file(file_, original);
  for (const char* damage :
       {"DELETE FROM contents WHERE first > 300000",
        "DELETE FROM contents WHERE first > 20000 AND first < 300000",
        "UPDATE contents SET text = 'x' || substr(text, 2) WHERE first > 300000",
        "UPDATE events SET content = 7 WHERE seq = 2",
        "UPDATE events SET content = -1 WHERE seq = 2",
        "UPDATE events SET content = 0 WHERE seq = 2",
        "UPDATE events SET text_size = text_size + 1 WHERE seq = 2",
        "UPDATE events SET text_size = -1 WHERE seq = 2",
        "UPDATE events SET text_offset = 1 << 40 WHERE seq = 2",
        "UPDATE events SET text_offset = -1 WHERE seq = 2"}) {
    std::filesystem::remove(file_.string() + "-wal");
    std::filesystem::copy_file(original, file_, std::filesystem::copy_options::overwrite_existing);
    execute(damage);
    const auto engine = open();
    EXPECT_THAT(sequences_of(engine->read({}).records), ElementsAre(1)) << damage;
    const Page rest = engine->read({.after = 1, .filter = {}});
    EXPECT_THAT(sequences_of(rest.records), ElementsAre(3)) << damage;
    EXPECT_EQ(rest.missed, 1) << damage;
    EXPECT_EQ(rest.damaged, 2) << damage;
  }
}

// Texts of some sessions that grow, shrink and change, and what is done between.
class RandomTexts {
 public:
  explicit RandomTexts(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  std::shared_ptr<Record> next() {
    const std::string session(1, static_cast<char>('a' + below(3)));
    std::string& text = texts_[session];
    switch (below(6)) {
      case 0:
        text.resize(text.empty() ? 0 : below(text.size()));
        break;
      case 1:
        text = std::string(below(50'000), static_cast<char>('0' + below(10)));
        break;
      case 2:
        break;
      default:
        text += std::string(below(60'000), static_cast<char>('A' + below(26))) + "\"\n";
    }
    return message(session, text);
  }

 private:
  std::mt19937 random_;
  std::map<std::string, std::string> texts_;
};

TEST_F(SqliteContents, AreReadAsTheyWereWrittenWhateverIsDoneBetween) {
  const Retention retention{.max_age = milliseconds(1), .max_bytes = 0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    RandomTexts random(seed);
    std::map<Sequence, std::string> model;
    std::filesystem::remove(file_);
    auto engine = open(retention);
    for (int i = 0; i < 60; ++i) {
      const auto record = random.next();
      commit_one(*engine, record);
      model[record->sequence] = record->body;
      if (random.below(8) == 0) {
        engine.reset();
        engine = open(retention);
      }
      if (random.below(4) == 0) {
        engine->remove_aged(WallTime(milliseconds(10)), random.below(6));
        model.erase(model.begin(), model.lower_bound(engine->oldest()));
      }
    }
    std::map<Sequence, std::string> stored;
    for (const RecordPtr& record : read_all(*engine))
      stored[record->sequence] = record->body;
    EXPECT_TRUE(stored == model) << seed;
    engine.reset();
    EXPECT_EQ(number("SELECT count(*) FROM contents WHERE content NOT IN "
                     "(SELECT content FROM events)"),
              0);
  }
}

}  // namespace
}  // namespace oriel
