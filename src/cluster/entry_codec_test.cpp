#include "cluster/entry_codec.h"

#include "cluster/byte_writer.h"
#include "cluster/entry_testing.h"

#include <gmock/gmock.h>

#include <limits>

namespace oriel {
namespace {

using testing::SizeIs;

bool is_same(const Record& a, const Record& b) {
  return a.time == b.time && a.type == b.type && a.event_type == b.event_type &&
         a.session_id == b.session_id && a.project_id == b.project_id && a.body == b.body;
}

bool is_same(const Proposal& a, const Proposal& b) {
  if (a.records.size() != b.records.size()) return false;
  for (std::size_t i = 0; i < a.records.size(); ++i)
    if (!is_same(*a.records[i], *b.records[i])) return false;
  return a.documents == b.documents && a.guards == b.guards;
}

std::string one_message(const std::string& author = "n.1", std::uint64_t number = 7) {
  const Proposal proposal{.records = {test_record("s", "\"a\":1}")}};
  return encode_entry(author, number, encode_proposals({&proposal, 1})).at(0);
}

TEST(ByteWriterTest, NumbersReadBack) {
  for (const std::uint64_t number : {0ULL, 1ULL, 127ULL, 128ULL, 300ULL, 1ULL << 62, ~0ULL}) {
    ByteWriter out;
    out.number(number);
    const std::string bytes = out.take();
    ByteReader in(bytes);
    EXPECT_EQ(in.number(), number);
    EXPECT_TRUE(in.is_complete());
  }
}

TEST(ByteWriterTest, ANumberHasOneEncoding) {
  for (const std::string& bytes :
       {std::string("\x80\x00", 2), std::string(10, '\xFF'), std::string("\x80"), std::string(),
        std::string(9, '\xFF') + "\x02"}) {
    ByteReader in(bytes);
    EXPECT_EQ(in.number(), 0);
    EXPECT_TRUE(in.has_failed());
  }
}

TEST(EntryCodecTest, ProposalsReadBack) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<Proposal> proposals;
    for (auto count = random() % 5; count > 0; --count)
      proposals.push_back(random_proposal(random));
    const auto read = decode_proposals(encode_proposals(proposals));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), proposals.size());
    for (std::size_t i = 0; i < proposals.size(); ++i)
      EXPECT_TRUE(is_same(read->at(i), proposals[i]));
  }
}

TEST(EntryCodecTest, CutOrExtendedProposalsAreRefused) {
  std::mt19937 random(1);
  const std::vector<Proposal> proposals = {random_proposal(random), random_proposal(random)};
  const std::string bytes = encode_proposals(proposals);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_proposals(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_proposals(bytes + '\0'));
}

TEST(EntryCodecTest, ACountBeyondTheBytesIsRefusedWithoutMemoryForIt) {
  ByteWriter out;
  out.number(std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(decode_proposals(out.take()));
}

TEST(EntryCodecTest, AMessageTellsItsAuthorAndNumber) {
  const EntryPart part = decode_message(one_message("node.life", 300));
  EXPECT_EQ(part.kind, MessageKind::kPart);
  EXPECT_EQ(part.author, "node.life");
  EXPECT_EQ(part.number, 300);
  EXPECT_EQ(part.part, 1);
  EXPECT_EQ(part.parts, 1);
  EXPECT_TRUE(decode_proposals(part.payload));
}

TEST(EntryCodecTest, TheDigestDoesNotDependOnTheAttempt) {
  std::string message = one_message();
  const EntryPart first = decode_message(message);
  set_attempt(message, 0xDEADBEEF);
  const EntryPart again = decode_message(message);
  EXPECT_EQ(again.kind, MessageKind::kPart);
  EXPECT_EQ(again.attempt, 0xDEADBEEF);
  EXPECT_EQ(again.digest, first.digest);
  EXPECT_EQ(again.identity(), first.identity());
  EXPECT_NE(decode_message(one_message("n.1", 8)).identity(), first.identity());
}

TEST(EntryCodecTest, ALargePayloadTravelsInParts) {
  const std::string payload(kMaxPartBytes * 2 + 1, 'x');
  const auto messages = encode_entry("n.1", 1, payload);
  ASSERT_THAT(messages, SizeIs(3));
  std::string joined;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const EntryPart part = decode_message(messages[i]);
    EXPECT_EQ(part.part, i + 1);
    EXPECT_EQ(part.parts, 3);
    joined += part.payload;
  }
  EXPECT_EQ(joined, payload);
}

TEST(EntryCodecTest, AChangedByteMakesGarbage) {
  const std::string message = one_message();
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (i == 3) continue;             // the format, see below
    if (i >= 12 && i < 16) continue;  // the attempt
    std::string changed = message;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(decode_message(changed).kind, MessageKind::kGarbage) << i;
  }
}

TEST(EntryCodecTest, GarbageHasADigest) {
  EXPECT_EQ(decode_message("").kind, MessageKind::kGarbage);
  EXPECT_NE(decode_message("a").digest, decode_message("b").digest);
}

TEST(EntryCodecTest, AnEntryOfANewerFormatIsNotGarbage) {
  std::string message = one_message();
  message[3] = static_cast<char>(kEntryFormat + 1);
  const EntryPart part = decode_message(message);
  EXPECT_EQ(part.kind, MessageKind::kNewer);
  EXPECT_EQ(part.format, kEntryFormat + 1);
}

}  // namespace
}  // namespace oriel
