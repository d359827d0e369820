#include "cluster/log/append_queue.h"

#include "cluster/entry_codec.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class AppendQueueTest : public testing::Test {
 protected:
  static Result<void> offer(AppendQueue& queue, std::size_t bytes) {
    Proposal proposal{.records = {}, .documents = {{"k", std::string(bytes, 'x')}}, .guards = {}};
    AppendHandler handler{.complete = [](const AppendResult&) {}};
    return queue.offer(proposal, handler);
  }
};

TEST_F(AppendQueueTest, AppendsAreGroupedUpToALimit) {
  AppendQueue queue({.max_group = 3});
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(offer(queue, 1));
  EXPECT_TRUE(queue.has_full_group());
  EXPECT_THAT(queue.group(1), SizeIs(3));
  EXPECT_THAT(queue.group(2), SizeIs(1));
  EXPECT_THAT(queue.handlers_of(1), SizeIs(3));
  EXPECT_THAT(queue.handlers_of(1), IsEmpty());
  EXPECT_FALSE(queue.is_empty());
  EXPECT_THAT(queue.handlers_of(2), SizeIs(1));
  EXPECT_TRUE(queue.is_empty());
}

TEST_F(AppendQueueTest, ALargeAppendIsAGroupOfItsOwn) {
  AppendQueue queue({.max_group_bytes = 1000});
  for (const std::size_t bytes : {1, 5000, 1})
    ASSERT_TRUE(offer(queue, bytes));
  EXPECT_THAT(queue.group(1), SizeIs(1));
  EXPECT_THAT(queue.group(2), SizeIs(1));
  EXPECT_THAT(queue.group(3), SizeIs(1));
}

TEST_F(AppendQueueTest, IsBusyUntilAppendsAreAnswered) {
  AppendQueue queue({.max_bytes = 1000});
  ASSERT_TRUE(offer(queue, 2000));
  EXPECT_EQ(offer(queue, 1).error().kind, ErrorKind::kJournalBusy);
  queue.group(1);
  EXPECT_EQ(offer(queue, 1).error().kind, ErrorKind::kJournalBusy);
  queue.handlers_of(1);
  EXPECT_TRUE(offer(queue, 1));
}

TEST_F(AppendQueueTest, AnAppendThatCannotBeStoredIsTooLarge) {
  AppendQueue queue({});
  EXPECT_EQ(offer(queue, kMaxParts * kMaxPartBytes).error().kind, ErrorKind::kBodyTooLarge);
  EXPECT_TRUE(offer(queue, kMaxParts * kMaxPartBytes - 200));
  EXPECT_LE(encode_entry("n.1", 1, encode_proposals(queue.group(1))).size(), kMaxParts);
}

TEST_F(AppendQueueTest, ClearReturnsAllHandlers) {
  AppendQueue queue({.max_group = 2});
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(offer(queue, 1));
  queue.group(1);
  EXPECT_THAT(queue.clear(), SizeIs(5));
  EXPECT_TRUE(queue.is_empty());
}

}  // namespace
}  // namespace oriel
