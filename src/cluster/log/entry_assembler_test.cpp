#include "cluster/log/entry_assembler.h"

#include "cluster/entry_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

// The parts of an entry that is too large for one message.
std::vector<EntryPart> large_entry(const std::string& author, std::uint64_t number, char fill) {
  const Proposal proposal{.records = {},
                          .documents = {{"k", std::string(kMaxPartBytes * 2, fill)}}};
  std::vector<EntryPart> parts;
  for (const std::string& message : encode_entry(author, number, encode_proposals({&proposal, 1})))
    parts.push_back(decode_message(message));
  return parts;
}

TEST(EntryAssemblerTest, AnEntryOfOneMessageIsCompleteAtItsPlace) {
  EntryAssembler assembler;
  const Entry entry = assembler.add(5, test_part("n.1", 3, "value"));
  EXPECT_EQ(entry.place, 5);
  EXPECT_EQ(entry.author, "n.1");
  EXPECT_EQ(entry.number, 3);
  ASSERT_EQ(entry.proposals.size(), 1);
  EXPECT_EQ(entry.proposals[0].documents[0].value, "value");
}

TEST(EntryAssemblerTest, PartsAreCompleteWithTheLastOneWhateverIsBetween) {
  EntryAssembler assembler;
  const auto parts = large_entry("n.1", 1, 'a');
  ASSERT_EQ(parts.size(), 3);
  EXPECT_EQ(assembler.add(1, parts[0]).number, 0);
  EXPECT_EQ(assembler.add(2, test_part("n.2", 1)).number, 1);
  EXPECT_EQ(assembler.add(3, parts[1]).author, kNoAuthor);
  const Entry entry = assembler.add(4, parts[2]);
  EXPECT_EQ(entry.number, 1);
  EXPECT_EQ(entry.proposals[0].documents[0].value, std::string(kMaxPartBytes * 2, 'a'));
}

TEST(EntryAssemblerTest, AnEntryWithoutOneOfItsPartsIsNotComplete) {
  EntryAssembler assembler;
  const auto parts = large_entry("n.1", 1, 'a');
  assembler.add(1, parts[0]);
  EXPECT_EQ(assembler.add(2, parts[2]).number, 0);
  EXPECT_EQ(assembler.add(3, parts[1]).number, 0);
  EXPECT_EQ(assembler.add(4, parts[2]).number, 1);
}

TEST(EntryAssemblerTest, RepeatedPartsAreOneEntry) {
  EntryAssembler assembler;
  const auto parts = large_entry("n.1", 1, 'a');
  assembler.add(1, parts[0]);
  assembler.add(2, parts[1]);
  assembler.add(3, parts[0]);
  assembler.add(4, parts[1]);
  const Entry entry = assembler.add(5, parts[2]);
  EXPECT_EQ(entry.number, 1);
  EXPECT_EQ(assembler.add(6, parts[2]).number, 0);
}

TEST(EntryAssemblerTest, GarbageIsAnEntryOfNobody) {
  EntryAssembler assembler;
  const Entry entry = assembler.add(1, decode_message("garbage"));
  EXPECT_EQ(entry.author, kNoAuthor);
  EXPECT_EQ(entry.number, 0);
  EXPECT_NE(entry.digest, 0);
}

// A reader that begins kAssemblySpan places before the first one it needs sees what others see.
TEST(EntryAssemblerTest, WhatIsSeenDoesNotDependOnWhereReadingBegan) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::vector<EntryPart>> entries = {
      large_entry("n.1", 1, 'a'), large_entry("n.1", 2, 'b'), large_entry("n.2", 1, 'c')};
  const EntryPart small = test_part("n.3", 1);
  std::vector<EntryPart> log;
  while (log.size() < 3 * kAssemblySpan) {
    if (random() % 300 == 0) {
      const auto& entry = entries[random() % entries.size()];
      log.push_back(entry[random() % entry.size()]);
    } else {
      log.push_back(small);
    }
  }
  EntryAssembler all;
  std::vector<std::uint64_t> digests;
  for (std::size_t i = 0; i < log.size(); ++i)
    digests.push_back(all.add(i + 1, log[i]).digest);
  for (int round = 0; round < 5; ++round) {
    const std::size_t applied = kAssemblySpan + random() % kAssemblySpan;
    EntryAssembler late;
    for (std::size_t place = applied + 1 - kAssemblySpan + 1; place <= log.size(); ++place) {
      const Entry entry = late.add(place, log[place - 1]);
      if (place > applied) {
        ASSERT_EQ(entry.digest, digests[place - 1]) << place;
      }
    }
  }
}

}  // namespace
}  // namespace oriel
