#include "journal/entry_judge.h"

#include "journal/engine_testing.h"
#include "journal/memory_engine.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Proposal put(const std::string& key, const std::string& value, std::vector<Guard> guards = {}) {
  return {.records = {}, .documents = {{key, value}}, .guards = std::move(guards)};
}

Entry local(std::vector<Proposal> proposals) {
  return {.proposals = std::move(proposals)};
}

// Gives entries of several authors their places.
class SharedEntries {
 public:
  Entry next(const std::string& author, std::uint64_t number, Proposal proposal) {
    const std::uint64_t place = ++place_;
    return {.place = place,
            .author = author,
            .number = number,
            .digest = place * 31,
            .proposals = {std::move(proposal)}};
  }

 private:
  std::uint64_t place_ = 0;
};

// A judge over a memory engine, as in a journal.
class JudgedEngine {
 public:
  // The entries become one transaction.
  std::vector<EntryVerdict> apply(const std::vector<Entry>& entries) {
    const Judgement judgement = judge_.judge(entries);
    engine_->commit(judgement.records, judgement.documents);
    judge_.stored(judgement);
    return judgement.entries;
  }

  void store(const std::vector<Document>& documents) { engine_->commit({}, documents); }

  // As after a restart.
  void restart() { judge_.restore(engine_->read_documents(kLogDocuments)); }

  std::string value(const std::string& key) { return engine_->document(key); }

  std::vector<Document> log_documents() { return engine_->read_documents(kLogDocuments); }

  const Applied& applied() const { return judge_.applied(); }

  Sequence head() const { return engine_->head(); }

 private:
  std::unique_ptr<JournalEngine> engine_ = make_memory_engine({});
  EntryJudge judge_{[this](const std::string& key) { return engine_->document(key); }};
};

TEST(EntryJudgeTest, AProposalWithoutGuardsIsStored) {
  JudgedEngine node;
  const auto verdicts = node.apply({local({put("a", "1"), put("b", "2")})});
  ASSERT_THAT(verdicts, SizeIs(1));
  EXPECT_THAT(verdicts[0].proposals,
              ElementsAre(ProposalVerdict::kStored, ProposalVerdict::kStored));
  EXPECT_EQ(node.value("b"), "2");
}

TEST(EntryJudgeTest, ALocalLogLeavesNoDocumentsOfItsOwn) {
  JudgedEngine node;
  node.apply({local({put("a", "1")})});
  EXPECT_THAT(node.log_documents(), IsEmpty());
}

TEST(EntryJudgeTest, AGuardComparesWithWhatIsStored) {
  JudgedEngine node;
  node.apply({local({put("owner", "x")})});
  const auto verdicts =
      node.apply({local({put("a", "1", {{"owner", "x"}}), put("b", "1", {{"owner", "y"}})})});
  EXPECT_THAT(verdicts[0].proposals,
              ElementsAre(ProposalVerdict::kStored, ProposalVerdict::kOvertaken));
  EXPECT_EQ(node.value("a"), "1");
  EXPECT_EQ(node.value("b"), "");
}

TEST(EntryJudgeTest, AnEmptyGuardMeansThatThereIsNoSuchDocument) {
  JudgedEngine node;
  const auto verdicts =
      node.apply({local({put("a", "1", {{"a", ""}}), put("a", "2", {{"a", ""}})})});
  EXPECT_THAT(verdicts[0].proposals,
              ElementsAre(ProposalVerdict::kStored, ProposalVerdict::kOvertaken));
  EXPECT_EQ(node.value("a"), "1");
}

TEST(EntryJudgeTest, AGuardSeesEarlierProposalsOfTheSameBatch) {
  JudgedEngine node;
  const auto verdicts = node.apply({local(
      {put("owner", "x"), put("owner", "", {{"owner", "x"}}), put("a", "1", {{"owner", "x"}})})});
  EXPECT_THAT(verdicts[0].proposals, ElementsAre(ProposalVerdict::kStored, ProposalVerdict::kStored,
                                                 ProposalVerdict::kOvertaken));
}

TEST(EntryJudgeTest, ARefusedProposalStoresNoneOfItsRecords) {
  JudgedEngine node;
  Proposal proposal = put("a", "1", {{"owner", "x"}});
  proposal.records = {new_record("s"), new_record("s")};
  node.apply({local({std::move(proposal)})});
  EXPECT_EQ(node.head(), kNoSequence);
}

TEST(R_CLUSTER_2, ARepeatedEntryIsPassedOver) {
  JudgedEngine node;
  SharedEntries log;
  const auto verdicts =
      node.apply({log.next("n.1", 1, put("a", "1")), log.next("n.1", 1, put("a", "1")),
                  log.next("n.1", 2, put("a", "2"))});
  EXPECT_FALSE(verdicts[0].is_passed_over);
  EXPECT_TRUE(verdicts[1].is_passed_over);
  EXPECT_FALSE(verdicts[2].is_passed_over);
  EXPECT_EQ(node.value("a"), "2");
}

TEST(R_CLUSTER_2, AnEntryIsPassedOverWhileOneBeforeItIsMissing) {
  JudgedEngine node;
  SharedEntries log;
  const auto verdicts =
      node.apply({log.next("n.1", 2, put("a", "2")), log.next("n.1", 1, put("a", "1")),
                  log.next("n.1", 2, put("a", "2"))});
  EXPECT_TRUE(verdicts[0].is_passed_over);
  EXPECT_FALSE(verdicts[1].is_passed_over);
  EXPECT_FALSE(verdicts[2].is_passed_over);
  EXPECT_EQ(node.value("a"), "2");
}

TEST(R_CLUSTER_4, OfTwoClaimsOnlyTheFirstIsStored) {
  JudgedEngine node;
  SharedEntries log;
  node.apply({log.next("a.1", 1, put("owner/s", "a.1"))});
  const auto verdicts = node.apply({log.next("b.1", 1, put("owner/s", "b.1", {{"owner/s", "a.1"}})),
                                    log.next("c.1", 1, put("owner/s", "c.1", {{"owner/s", "a.1"}})),
                                    log.next("a.1", 2, put("late", "1", {{"owner/s", "a.1"}}))});
  EXPECT_THAT(verdicts[0].proposals, ElementsAre(ProposalVerdict::kStored));
  EXPECT_THAT(verdicts[1].proposals, ElementsAre(ProposalVerdict::kOvertaken));
  EXPECT_THAT(verdicts[2].proposals, ElementsAre(ProposalVerdict::kOvertaken));
  EXPECT_EQ(node.value("owner/s"), "b.1");
  EXPECT_EQ(node.value("late"), "");
}

TEST(R_CLUSTER_6, AJudgeGoesOnWhereTheStoredDocumentsSay) {
  JudgedEngine node;
  SharedEntries log;
  node.apply({log.next("a.1", 1, put("a", "1")), log.next("b.1", 1, put("b", "1"))});
  const Applied before = node.applied();
  EXPECT_EQ(before.place, 2);
  node.restart();
  EXPECT_EQ(node.applied(), before);
  const auto verdicts =
      node.apply({log.next("a.1", 1, put("a", "x")), log.next("a.1", 2, put("a", "2"))});
  EXPECT_TRUE(verdicts[0].is_passed_over);
  EXPECT_FALSE(verdicts[1].is_passed_over);
}

TEST(R_CLUSTER_3, TheChainDoesNotDependOnTheGroupingOfEntries) {
  JudgedEngine together;
  JudgedEngine apart;
  SharedEntries log;
  const std::vector<Entry> entries = {log.next("a.1", 1, put("a", "1")),
                                      log.next("b.1", 2, put("b", "1")),
                                      log.next("a.1", 2, put("a", "", {{"a", "2"}}))};
  together.apply(entries);
  for (const Entry& entry : entries)
    apart.apply({entry});
  EXPECT_EQ(together.applied(), apart.applied());
  EXPECT_EQ(together.log_documents(), apart.log_documents());
}

TEST(R_CLUSTER_3, TheChainTellsOtherEntriesApart) {
  JudgedEngine one;
  JudgedEngine other;
  SharedEntries log;
  Entry entry = log.next("a.1", 1, put("a", "1"));
  one.apply({entry});
  ++entry.digest;
  other.apply({entry});
  EXPECT_NE(one.applied().chain, other.applied().chain);
}

TEST(EntryJudgeTest, AnAuthorIsForgottenAfterManyEntriesOfOthers) {
  JudgedEngine node;
  const auto at = [](std::uint64_t place, const std::string& author, std::uint64_t number) {
    return Entry{.place = place, .author = author, .number = number, .proposals = {put("a", "1")}};
  };
  node.apply({at(1, "old.1", 1)});
  node.apply({at(kAuthorMemory, "new.1", 1)});
  EXPECT_THAT(node.log_documents(), SizeIs(3)) << "applied, old.1 and new.1";
  node.apply({at(2 * kAuthorMemory, "new.1", 2)});
  EXPECT_THAT(node.log_documents(), SizeIs(2));
  EXPECT_EQ(node.value("log/author/old.1"), "");
}

TEST(R_CLUSTER_7_EntryJudge, GoesOnInTheNextGenerationWithItsChainAndWithoutAuthors) {
  SharedEntries log;
  JudgedEngine engine;
  engine.apply({log.next("a.1", 1, put("k", "1")), log.next("b.1", 1, put("k", "2"))});
  const Applied before = engine.applied();
  EXPECT_EQ(last_entry_in(engine.log_documents()), (EntryName{.author = "b.1", .number = 1}));
  engine.store(documents_of_next(before, 2, engine.log_documents()));
  engine.restart();
  EXPECT_EQ(engine.applied(),
            (Applied{.log = before.log, .generation = 2, .place = 0, .chain = before.chain}));
  EXPECT_THAT(engine.log_documents(), SizeIs(1));
  EXPECT_EQ(last_entry_in(engine.log_documents()), std::nullopt);
  // A number of an earlier generation is the author's first one here.
  SharedEntries next;
  EXPECT_FALSE(engine.apply({next.next("a.1", 1, put("k", "3"))}).front().is_passed_over);
}

}  // namespace
}  // namespace oriel
