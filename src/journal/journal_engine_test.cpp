// The contract of JournalEngine, tested with every engine.

#include "journal/journal_engine.h"

#include "base/temp_directory_testing.h"
#include "journal/engine_testing.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <random>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

class EveryEngine : public testing::TestWithParam<const char*> {
 protected:
  // Stores all records of a test except those older than `max_age`.
  std::unique_ptr<JournalEngine> open(milliseconds max_age = milliseconds(0)) {
    if (GetParam() == std::string("memory")) {
      return make_memory_engine(
          {.max_bytes = 1 << 30, .max_events_per_session = 1 << 20, .max_age = max_age});
    }
    const Retention retention{.max_age = max_age, .max_bytes = 0};
    return open_sqlite_engine({.file = directory_ / "events.db", .retention = retention});
  }

 private:
  TempDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Engines, EveryEngine, testing::Values("memory", "sqlite"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(EveryEngine, StartsEmpty) {
  const auto engine = open();
  EXPECT_EQ(engine->head(), 0);
  EXPECT_EQ(engine->oldest(), 1);
  EXPECT_EQ(engine->missed_after(0), 0);
  EXPECT_THAT(engine->read({}).records, IsEmpty());
}

TEST_P(EveryEngine, AssignsSequencesFromOneWithoutHoles) {
  const auto engine = open();
  EXPECT_THAT(sequences_of(commit_each(*engine, {"a", "", "b"})), ElementsAre(1, 2, 3));
  EXPECT_THAT(sequences_of(commit_many(*engine, 2, "a")), ElementsAre(4, 5));
  EXPECT_EQ(engine->head(), 5);
  EXPECT_EQ(engine->oldest(), 1);
}

TEST_P(EveryEngine, CountsEachSessionFromZero) {
  const auto engine = open();
  EXPECT_THAT(indexes_of(commit_each(*engine, {"a", "b", "a", "", "a", "b"})),
              ElementsAre(0, 0, 1, 0, 2, 1));
}

TEST_P(EveryEngine, ReturnsRecordsAsTheyWereStored) {
  const auto engine = open();
  auto record = new_record("session-1", "\"text\":\"caf\xc3\xa9 \\u0000\"}");
  record->type = "turn_created";
  record->project_id = "project-1";
  record->time = WallTime(milliseconds(1763241567042));
  engine->commit_records(std::span(&record, 1));

  const Page page = engine->read({});
  ASSERT_EQ(page.records.size(), 1);
  const Record& read = *page.records[0];
  EXPECT_EQ(read.sequence, 1);
  EXPECT_EQ(read.index, 0);
  EXPECT_EQ(read.time, record->time);
  EXPECT_EQ(read.type, "turn_created");
  EXPECT_EQ(read.session_id, "session-1");
  EXPECT_EQ(read.project_id, "project-1");
  EXPECT_EQ(read.body, record->body);
}

TEST_P(EveryEngine, CommitOfNothingChangesNothing) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  engine->commit_records({});
  EXPECT_EQ(engine->head(), 1);
}

TEST_P(EveryEngine, ReadsAfterOneSequenceUntilAnother) {
  const auto engine = open();
  commit_many(*engine, 10, "a");
  const Page page = engine->read({.after = 3, .until = 6, .filter = {}});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(4, 5, 6));
  EXPECT_EQ(page.scanned_until, 6);
  EXPECT_EQ(page.missed, 0);
}

TEST_P(EveryEngine, APageEndsAtTheHead) {
  const auto engine = open();
  commit_many(*engine, 3, "a");
  EXPECT_EQ(engine->read({.after = 1, .filter = {}}).scanned_until, 3);
}

TEST_P(EveryEngine, HasNothingAfterItsHead) {
  const auto engine = open();
  commit_many(*engine, 3, "a");
  const Page page = engine->read({.after = 70, .until = 90, .filter = {}});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.scanned_until, 70);
  EXPECT_EQ(page.missed, 0);
  EXPECT_EQ(engine->missed_after(70), 0);
}

TEST_P(EveryEngine, EndsAPageAtItsNumberOfRecords) {
  const auto engine = open();
  commit_many(*engine, 5, "a");
  const Page page = engine->read({.after = 1, .filter = {}, .max_records = 2});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(2, 3));
  EXPECT_EQ(page.scanned_until, 3);
}

TEST_P(EveryEngine, EndsAPageAtItsBytesButTakesTheFirstRecord) {
  const auto engine = open();
  commit_many(*engine, 3, "a", std::string(1000, 'x'));
  EXPECT_THAT(sequences_of(engine->read({.filter = {}, .max_bytes = 3000}).records),
              ElementsAre(1, 2));
  EXPECT_THAT(sequences_of(engine->read({.filter = {}, .max_bytes = 10}).records), ElementsAre(1));
}

TEST_P(EveryEngine, ScansToTheEndWhenNothingMatches) {
  const auto engine = open();
  commit_many(*engine, 5, "a");
  const Page page = engine->read({.filter = of_types({"other"})});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.scanned_until, 5);
}

TEST_P(EveryEngine, MergesSessionsInTheOrderOfSequences) {
  const auto engine = open();
  commit_each(*engine, {"a", "b", "c", "b", "a", "", "a"});
  const Page page = engine->read({.filter = of_sessions({"a", "b", "unknown", "a"})});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(1, 2, 4, 5, 7));
  EXPECT_EQ(page.scanned_until, 7);
}

TEST_P(EveryEngine, ReadsASessionByIndex) {
  const auto engine = open();
  commit_each(*engine, {"a", "b", "a", "a", "b", "a"});
  const SessionPage page = engine->read_session({.session_id = "a", .after_index = 1});
  EXPECT_THAT(indexes_of(page.records), ElementsAre(2, 3));
  EXPECT_EQ(page.oldest_index, 0);
  EXPECT_EQ(page.last_index, 3);
  EXPECT_THAT(indexes_of(engine->read_session({.session_id = "a", .max_records = 3}).records),
              ElementsAre(0, 1, 2));
}

TEST_P(EveryEngine, HasNothingAfterASessionsLastIndex) {
  const auto engine = open();
  commit_each(*engine, {"a"});
  const auto last = std::numeric_limits<std::int64_t>::max();
  const SessionPage page = engine->read_session({.session_id = "a", .after_index = last});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.last_index, 0);
}

TEST_P(EveryEngine, ReportsAnUnknownSession) {
  const auto engine = open();
  const SessionPage page = engine->read_session({.session_id = "a"});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.oldest_index, 0);
  EXPECT_EQ(page.last_index, -1);
}

TEST_P(EveryEngine, RemovesRecordsBeyondTheMaximumAge) {
  const auto engine = open(milliseconds(100));
  NewRecords records;
  for (int time : {0, 50, 99, 100, 150}) {
    records.push_back(new_record("a"));
    records.back()->time = WallTime(milliseconds(time));
  }
  engine->commit_records(records);
  EXPECT_FALSE(engine->apply_retention(WallTime(milliseconds(200))));

  EXPECT_EQ(engine->oldest(), 4);
  EXPECT_EQ(engine->missed_after(1), 2);
  const Page page = engine->read({.after = 1, .filter = {}});
  EXPECT_THAT(sequences_of(page.records), ElementsAre(4, 5));
  EXPECT_EQ(page.missed, 2);
  const SessionPage session = engine->read_session({.session_id = "a"});
  EXPECT_EQ(session.oldest_index, 3);
  EXPECT_THAT(indexes_of(session.records), ElementsAre(3, 4));
}

TEST_P(EveryEngine, RemovesAtMostAsManyOldRecordsAsAllowed) {
  const auto engine = open(milliseconds(100));
  commit_many(*engine, 10, "a");
  NewRecords young{new_record("a"), new_record("a")};
  for (const auto& record : young)
    record->time = WallTime(milliseconds(1000));
  engine->commit_records(young);

  const WallTime now(milliseconds(1000));
  EXPECT_EQ(engine->remove_aged(now, 4), 4);
  EXPECT_EQ(engine->oldest(), 5);
  EXPECT_EQ(engine->read({}).missed, 4);
  EXPECT_EQ(engine->remove_aged(now, 100), 6);
  EXPECT_EQ(engine->remove_aged(now, 100), 0);
  EXPECT_EQ(engine->oldest(), 11);
}

TEST_P(EveryEngine, RemovesNothingForItsAgeWithoutAMaximum) {
  const auto engine = open();
  commit_many(*engine, 3, "a");
  EXPECT_EQ(engine->remove_aged(WallTime(milliseconds(1'000'000)), 100), 0);
}

TEST_P(EveryEngine, CountsMissedRecordsOfTheSelectedSessionsOnly) {
  const auto engine = open(milliseconds(100));
  commit_each(*engine, {"a", "b", "a", "c"});
  auto young = new_record("b");
  young->time = WallTime(milliseconds(1000));
  engine->commit_records(std::span(&young, 1));
  engine->apply_retention(WallTime(milliseconds(1000)));

  const auto missed = [&](std::vector<std::string> sessions) {
    return engine->read({.filter = of_sessions(std::move(sessions))}).missed;
  };
  EXPECT_EQ(missed({"a"}), 2);
  EXPECT_EQ(missed({"b"}), 1);
  EXPECT_EQ(missed({"b", "c"}), 2);
  EXPECT_EQ(missed({"d"}), 0);
  EXPECT_EQ(missed({}), 4);
  EXPECT_EQ(engine->read({.after = 4, .filter = of_sessions({"a"})}).missed, 0);
}

TEST_P(EveryEngine, NeverRemovesTheNewest) {
  const auto engine = open(milliseconds(1));
  commit_many(*engine, 3, "a");
  engine->apply_retention(WallTime(milliseconds(1'000'000)));
  EXPECT_EQ(engine->oldest(), 3);
  EXPECT_EQ(engine->head(), 3);
}

TEST_P(EveryEngine, RemovesManyRecordsInSeveralSlices) {
  const auto engine = open(milliseconds(1));
  commit_many(*engine, 5000, "a", std::string(300, 'x'));
  commit_many(*engine, 1, "b");
  int slices = 1;
  while (engine->apply_retention(WallTime(milliseconds(1'000'000))))
    ++slices;
  EXPECT_GT(slices, 3);
  EXPECT_EQ(engine->oldest(), 5001);
}

TEST_P(EveryEngine, ContinuesASessionsIndexesAfterItsRecordsWereRemoved) {
  const auto engine = open(milliseconds(1));
  commit_many(*engine, 3, "a");
  commit_many(*engine, 1, "b");
  engine->apply_retention(WallTime(milliseconds(1'000'000)));
  SessionPage page = engine->read_session({.session_id = "a"});
  EXPECT_THAT(page.records, IsEmpty());
  EXPECT_EQ(page.oldest_index, 3);
  EXPECT_EQ(page.last_index, 2);

  EXPECT_THAT(indexes_of(commit_many(*engine, 2, "a")), ElementsAre(3, 4));
  page = engine->read_session({.session_id = "a"});
  EXPECT_THAT(indexes_of(page.records), ElementsAre(3, 4));
}

// Reads page after page up to `until`.
std::vector<RecordPtr> read_all(JournalEngine& engine, ReadQuery query) {
  std::vector<RecordPtr> records;
  while (query.after < query.until) {
    const Page page = engine.read(query);
    records.insert(records.end(), page.records.begin(), page.records.end());
    if (page.scanned_until <= query.after) throw std::logic_error("a page makes no progress");
    query.after = page.scanned_until;
  }
  return records;
}

std::vector<RecordPtr> read_whole_session(JournalEngine& engine, SessionQuery query) {
  std::vector<RecordPtr> records;
  while (true) {
    const SessionPage page = engine.read_session(query);
    records.insert(records.end(), page.records.begin(), page.records.end());
    if (page.records.empty()) return records;
    query.after_index = static_cast<std::int64_t>(page.records.back()->index);
  }
}

// 12'000 records: more than any engine scans for one page, and more than SQLite's session index may
// lag behind.
class RandomQuery : public EveryEngine {
 protected:
  void SetUp() override {
    engine_ = open();
    for (int commit = 0; commit < 240; ++commit) {
      NewRecords records;
      for (int i = 0; i < 50; ++i) {
        records.push_back(
            new_record(pick({"a", "b", "c", "d", ""}), std::string(random_() % 100, 'x')));
        records.back()->type = pick({"message", "status", "status", "status"});
        records.back()->project_id = pick({"", "p", "q"});
      }
      engine_->commit_records(records);
      all_.insert(all_.end(), records.begin(), records.end());
    }
    // A rare type, so that there are pages without a match.
    auto rare = new_record("rare");
    rare->type = "rare";
    engine_->commit_records(std::span(&rare, 1));
    all_.push_back(rare);
  }

  std::string pick(const std::vector<std::string>& values) {
    return values[random_() % values.size()];
  }

  EventFilter any_filter() {
    EventFilter filter;
    if (random_() % 2 == 0) filter.types = {pick({"message", "status", "rare"})};
    if (random_() % 2 == 0) filter.projects = {pick({"p", "q", "r"})};
    for (auto names = random_() % 4; names > 0; --names) {
      filter.sessions.push_back(pick({"a", "b", "c", "d", "rare", "unknown"}));
    }
    return filter;
  }

  std::mt19937 random_{7};
  std::unique_ptr<JournalEngine> engine_;
  NewRecords all_;
};

INSTANTIATE_TEST_SUITE_P(Engines, RandomQuery, testing::Values("memory", "sqlite"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(RandomQuery, BySequenceReturnsExactlyTheMatchingRecords) {
  for (int i = 0; i < 60; ++i) {
    ReadQuery query{.after = random_() % 12'001,
                    .filter = any_filter(),
                    .max_records = 1 + random_() % 700,
                    .max_bytes = 300 + random_() % 100'000};
    query.until = query.after + random_() % (12'002 - query.after);
    std::vector<Sequence> expected;
    for (const auto& record : all_) {
      const bool is_selected = record->sequence > query.after && record->sequence <= query.until;
      if (is_selected && query.filter.matches(*record)) expected.push_back(record->sequence);
    }
    EXPECT_EQ(sequences_of(read_all(*engine_, query)), expected);
  }
}

TEST_P(RandomQuery, ByIndexReturnsExactlyTheRestOfTheSession) {
  for (int i = 0; i < 10; ++i) {
    const std::string session_id = pick({"a", "b", "c", "rare"});
    const SessionQuery query{.session_id = session_id,
                             .after_index = static_cast<std::int64_t>(random_() % 2500) - 1,
                             .max_records = 1 + random_() % 700};
    std::vector<Sequence> expected;
    for (const auto& record : all_) {
      const auto index = static_cast<std::int64_t>(record->index);
      if (record->session_id == session_id && index > query.after_index) {
        expected.push_back(record->sequence);
      }
    }
    EXPECT_EQ(sequences_of(read_whole_session(*engine_, query)), expected);
  }
}

TEST_P(EveryEngine, FindsRecordsByTheirOwnTypeAndByTheirTypeOnTheFeed) {
  const auto engine = open();
  NewRecords records = {new_record("a"), new_record("a"), new_record("b")};
  records[0]->event_type = EventType::kDelta;
  engine->commit_records(records);
  EXPECT_THAT(sequences_of(engine->read({.filter = of_types({"delta"})}).records), ElementsAre(1));
  EXPECT_THAT(sequences_of(engine->read({.filter = of_types({"message"})}).records),
              ElementsAre(1, 2, 3));
}

TEST_P(EveryEngine, ReadsASessionByTypeAndReportsHowFarItScanned) {
  const auto engine = open();
  NewRecords records = commit_many(*engine, 1, "a");
  for (const EventType type :
       {EventType::kDelta, EventType::kToolCall, EventType::kDelta, EventType::kDelta}) {
    records = {new_record("a")};
    records[0]->event_type = type;
    engine->commit_records(records);
  }
  const SessionQuery query{
      .session_id = "a", .after_index = -1, .types = {"delta"}, .max_records = 2};
  const SessionPage page = engine->read_session(query);
  EXPECT_THAT(indexes_of(page.records), ElementsAre(1, 3));
  EXPECT_EQ(page.scanned_until, 3);
  EXPECT_EQ(page.last_index, 4);

  const SessionPage rest = engine->read_session(
      {.session_id = "a", .after_index = page.scanned_until, .types = {"delta"}});
  EXPECT_THAT(indexes_of(rest.records), ElementsAre(4));
  EXPECT_EQ(rest.scanned_until, 4);
}

TEST_P(EveryEngine, KeepsTheLatestOfEachDocument) {
  const auto engine = open();
  const std::vector<Document> first = {{"session/a", "1"}, {"session/b", "2"}, {"other", "3"}};
  engine->commit({}, first);
  const std::vector<Document> second = {{"session/a", "4"}, {"session/b", ""}};
  engine->commit({}, second);
  EXPECT_THAT(engine->read_documents("session/"), ElementsAre(Document{"session/a", "4"}));
  EXPECT_THAT(engine->read_documents("none"), IsEmpty());
}

TEST_P(EveryEngine, ReadsDocumentsPageByPage) {
  const auto engine = open();
  const std::vector<Document> all = {
      {"a", "1"}, {"s/1", "2"}, {"s/2", "3"}, {"s/3", "4"}, {"t", "5"}};
  engine->commit({}, all);
  const auto page = [&](std::string after) {
    return engine->read_documents({.prefix = "s/", .after = std::move(after), .max_documents = 2});
  };
  EXPECT_THAT(page(""), ElementsAre(all[1], all[2]));
  EXPECT_THAT(page("s/2"), ElementsAre(all[3]));
  EXPECT_THAT(page("s/2x"), ElementsAre(all[3])) << "a key that was removed meanwhile";
  EXPECT_THAT(page("s/3"), IsEmpty());
}

}  // namespace
}  // namespace oriel
