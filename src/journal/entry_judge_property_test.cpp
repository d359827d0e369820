// The same entries, in whatever groups they are applied, lead to the same state.

#include "base/temp_directory_testing.h"
#include "base/text/text_hash.h"
#include "journal/engine_testing.h"
#include "journal/entry_judge.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace oriel {
namespace {

// Entries of several authors, some repeated, some lost, with guards that hold or not.
class RandomLog {
 public:
  explicit RandomLog(std::mt19937& random) : random_(random) {}

  std::vector<Entry> entries(std::size_t count) {
    std::vector<Entry> log;
    while (log.size() < count) {
      const std::string author = "node" + std::to_string(pick(3)) + ".1";
      std::vector<Entry>& written = written_[author];
      const auto fate = pick(10);
      if (fate == 0 && !written.empty()) {
        log.push_back(written[pick(written.size())]);  // repeated
      } else {
        Entry entry = next(author, written.size() + 1);
        // What is lost comes later, after entries that are passed over until then.
        if (fate == 1) log.push_back(next(author, written.size() + 2 + pick(3)));
        written.push_back(entry);
        log.push_back(std::move(entry));
      }
      log.back().place = log.size();
      if (fate == 1 && log.size() > 1) log[log.size() - 2].place = log.size() - 1;
    }
    return log;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::string key() { return "owner/" + std::to_string(pick(5)); }

  // Empty: no document.
  std::string value() { return pick(3) == 0 ? "" : std::to_string(pick(2)); }

  Entry next(const std::string& author, std::uint64_t number) {
    Entry entry{.author = author, .number = number, .digest = random_(), .proposals = {}};
    for (std::size_t count = pick(4); count > 0; --count)
      entry.proposals.push_back(proposal());
    return entry;
  }

  Proposal proposal() {
    Proposal proposal{.records = {}};
    for (std::size_t count = pick(3); count > 0; --count) {
      proposal.records.push_back(
          new_record("s" + std::to_string(pick(4)), "\"n\":" + std::to_string(++events_) + "}"));
    }
    for (std::size_t count = pick(3); count > 0; --count)
      proposal.documents.push_back({key(), value()});
    if (pick(2) == 0) proposal.guards.push_back({key(), value()});
    return proposal;
  }

  std::mt19937& random_;
  std::map<std::string, std::vector<Entry>> written_;
  std::uint64_t events_ = 0;
};

// Copies, because an engine numbers the records that it stores.
std::vector<Entry> copy_of(std::span<const Entry> entries) {
  std::vector<Entry> copies(entries.begin(), entries.end());
  for (Entry& entry : copies)
    for (Proposal& proposal : entry.proposals)
      for (auto& record : proposal.records)
        record = std::make_shared<Record>(*record);
  return copies;
}

struct State {
  std::vector<std::string> events;
  std::vector<Document> documents;
  Applied applied;

  bool operator==(const State&) const = default;
};

// A node that applies a log in groups of random size, and restarts now and then.
class RandomNode {
 public:
  RandomNode(std::unique_ptr<JournalEngine> engine, std::mt19937& random, std::size_t max_group)
      : engine_(std::move(engine)), random_(random), max_group_(max_group) {}

  void apply(std::span<const Entry> log) {
    while (!log.empty()) {
      const std::size_t count = std::min<std::size_t>(1 + random_() % max_group_, log.size());
      const std::vector<Entry> group = copy_of(log.first(count));
      const Judgement judgement = judge_.judge(group);
      // As after a failed commit: judging changes nothing.
      if (random_() % 10 == 0) continue;
      engine_->commit(judgement.records, judgement.documents);
      judge_.stored(judgement);
      log = log.subspan(count);
      if (random_() % 10 == 0) judge_.restore(engine_->read_documents(kLogDocuments));
    }
  }

  State state() {
    State state{
        .events = {}, .documents = engine_->read_documents(""), .applied = judge_.applied()};
    const Page page = engine_->read({.filter = {}, .max_records = 100'000, .max_bytes = 1 << 30});
    for (const RecordPtr& record : page.records) {
      state.events.push_back(std::to_string(record->sequence) + " " + record->session_id + " " +
                             record->json());
    }
    return state;
  }

 private:
  std::unique_ptr<JournalEngine> engine_;
  std::mt19937& random_;
  std::size_t max_group_;
  EntryJudge judge_{[this](const std::string& key) { return engine_->document(key); }};
};

// The rule in its plainest form. Returns the bodies of the events that it stores.
std::vector<std::string> expected_bodies(const std::vector<Entry>& log) {
  std::map<std::string, std::uint64_t> numbers;
  std::map<std::string, std::string> documents;
  std::vector<std::string> bodies;
  for (const Entry& entry : log) {
    if (entry.number != numbers[entry.author] + 1) continue;
    numbers[entry.author] = entry.number;
    for (const Proposal& proposal : entry.proposals) {
      const bool holds =
          std::all_of(proposal.guards.begin(), proposal.guards.end(),
                      [&](const Guard& guard) { return documents[guard.key] == guard.value; });
      if (!holds) continue;
      for (const Document& document : proposal.documents)
        documents[document.key] = document.value;
      for (const auto& record : proposal.records)
        bodies.push_back(record->body);
    }
  }
  return bodies;
}

TEST(R_CLUSTER_3_Judge, EntriesLeadToTheSameStateInAnyGroupsOnAnyEngine) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 5; ++round) {
    const std::vector<Entry> log = RandomLog(random).entries(400);
    const TempDirectory directory;
    RandomNode single(make_memory_engine({.max_bytes = 1 << 30, .max_events_per_session = 1 << 20}),
                      random, 1);
    RandomNode grouped(
        make_memory_engine({.max_bytes = 1 << 30, .max_events_per_session = 1 << 20}), random, 100);
    RandomNode stored(open_sqlite_engine({.file = directory / "journal.db", .retention = {}}),
                      random, 20);
    single.apply(log);
    grouped.apply(log);
    stored.apply(log);
    const State state = single.state();
    EXPECT_EQ(state.applied.place, log.size());
    EXPECT_EQ(grouped.state(), state);
    EXPECT_EQ(stored.state(), state);
    const std::vector<std::string> bodies = expected_bodies(log);
    ASSERT_EQ(state.events.size(), bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      EXPECT_THAT(state.events[i], testing::EndsWith(bodies[i]));
  }
}

TEST(R_CLUSTER_3_Judge, TheChainTellsLogsApart) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<Entry> log = RandomLog(random).entries(50);
  std::vector<Entry> other = log;
  ++other[random() % other.size()].digest;
  RandomNode left(make_memory_engine({}), random, 5);
  RandomNode right(make_memory_engine({}), random, 5);
  left.apply(log);
  right.apply(other);
  EXPECT_NE(left.state().applied.chain, right.state().applied.chain);
}

}  // namespace
}  // namespace oriel
