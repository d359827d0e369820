#include "journal/memory_engine.h"

#include "journal/engine_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::unique_ptr<JournalEngine> with_bytes(std::uint64_t max_bytes) {
  return make_memory_engine({.max_bytes = max_bytes, .max_events_per_session = 1 << 20});
}

std::unique_ptr<JournalEngine> with_events_per_session(std::uint64_t max_events) {
  return make_memory_engine({.max_bytes = 1 << 20, .max_events_per_session = max_events});
}

TEST(MemoryEngine, StoresNoMoreThanItsMaximumOfBytes) {
  const auto engine = with_bytes(100'000);
  commit_many(*engine, 1000, "a", std::string(1000, 'x'));

  const Page page = engine->read({.filter = {}, .max_records = 1000});
  std::size_t bytes = 0;
  for (const RecordPtr& record : page.records)
    bytes += record->bytes();
  EXPECT_LT(bytes, 100'000);
  EXPECT_GT(bytes, 80'000);
  EXPECT_EQ(engine->head(), 1000);
  EXPECT_EQ(engine->oldest(), 1001 - page.records.size());
  EXPECT_EQ(page.missed, 1000 - page.records.size());
}

TEST(MemoryEngine, StoresTheNewestHoweverLarge) {
  const auto engine = with_bytes(1000);
  commit_many(*engine, 2, "a", std::string(5000, 'x'));
  EXPECT_EQ(engine->oldest(), 2);
  EXPECT_THAT(engine->read({}).records, SizeIs(1));
}

TEST(MemoryEngine, StoresTheNewestOfEachSession) {
  const auto engine = with_events_per_session(2);
  commit_each(*engine, {"a", "b", "a", "a", "a"});
  EXPECT_THAT(sequences_of(engine->read({}).records), ElementsAre(2, 4, 5));
  EXPECT_EQ(engine->oldest(), 2);
  const SessionPage page = engine->read_session({.session_id = "a"});
  EXPECT_EQ(page.oldest_index, 2);
  EXPECT_EQ(page.last_index, 3);
}

TEST(MemoryEngine, ABusySessionDoesNotEvictTheOthersEvents) {
  const auto engine = with_events_per_session(10);
  commit_each(*engine, {"quiet", ""});
  for (int i = 0; i < 100; ++i)
    commit_many(*engine, 1000, "busy");
  EXPECT_THAT(engine->read({}).records, SizeIs(12));
  EXPECT_EQ(engine->oldest(), 1);
}

TEST(MemoryEngine, CountsWhatIsMissingInTheMiddle) {
  const auto engine = with_events_per_session(1);
  commit_each(*engine, {"b", "a", "a", "c", "a", "a", "d"});  // leaves 1, 4, 6 and 7

  EXPECT_EQ(engine->missed_after(0), 3);
  EXPECT_EQ(engine->missed_after(2), 2);
  EXPECT_EQ(engine->missed_after(3), 1);
  EXPECT_EQ(engine->missed_after(5), 0);

  EXPECT_EQ(engine->read({}).missed, 3);
  EXPECT_EQ(engine->read({.after = 1, .until = 3, .filter = {}}).missed, 2);
  const Page first = engine->read({.filter = {}, .max_records = 1});
  EXPECT_EQ(first.scanned_until, 3);
  EXPECT_EQ(first.missed, 2);
  const Page second = engine->read({.after = first.scanned_until, .filter = {}});
  EXPECT_EQ(second.missed, 1);
}

TEST(MemoryEngine, CountsASessionsEvictedRecordsOnce) {
  const auto engine = with_events_per_session(2);
  commit_each(*engine, {"a", "b", "a", "c", "b", "b", "b"});  // 2 and 5 are evicted

  const EventFilter filter = of_sessions({"a", "b"});
  const Page first = engine->read({.filter = filter, .max_records = 2});
  EXPECT_THAT(sequences_of(first.records), ElementsAre(1, 3));
  const Page second = engine->read({.after = first.scanned_until, .filter = filter});
  EXPECT_THAT(sequences_of(second.records), ElementsAre(6, 7));
  EXPECT_EQ(first.missed + second.missed, 2);

  EXPECT_EQ(engine->read({.filter = of_sessions({"a", "c"})}).missed, 0);
  EXPECT_EQ(engine->read({.after = 5, .filter = filter}).missed, 0);
  EXPECT_EQ(engine->read({.after = 4, .filter = filter}).missed, 1);
}

TEST(MemoryEngine, ContinuesTheIndexesOfASessionWhoseEventsWereEvicted) {
  const auto engine = with_bytes(100'000);
  commit_many(*engine, 3, "a");
  commit_many(*engine, 100, "b", std::string(1000, 'x'));
  EXPECT_THAT(engine->read_session({.session_id = "a"}).records, IsEmpty());
  EXPECT_EQ(engine->read_session({.session_id = "a"}).last_index, 2);
  EXPECT_THAT(indexes_of(commit_many(*engine, 1, "a")), ElementsAre(3));
}

TEST(MemoryEngine, EvictsTheLongestIdleSessions) {
  const auto engine = with_bytes(100'000);
  for (int i = 0; i < 10'000; ++i)
    commit_many(*engine, 1, "session-" + std::to_string(i));

  EXPECT_EQ(engine->read_session({.session_id = "session-0"}).last_index, -1);
  const auto oldest = engine->read({.filter = {}, .max_records = 1}).records.at(0);
  const auto held_from = std::stoi(oldest->session_id.substr(std::string("session-").size()));
  const auto idle =
      engine->read_session({.session_id = "session-" + std::to_string(held_from - 1)});
  EXPECT_THAT(idle.records, IsEmpty());
  EXPECT_EQ(idle.last_index, 0);
}

TEST(MemoryEngine, HasANewEpochEachTime) {
  EXPECT_NE(with_bytes(1000)->epoch(), with_bytes(1000)->epoch());
}

}  // namespace
}  // namespace oriel
