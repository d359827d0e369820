#include "journal/checkpoint/checkpoint_policy.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr CheckpointLimits kLimits{.step = 4, .full = 32, .max = 64, .final = 1};

TEST(CheckpointPolicy, AShortLogNeedsNoCheckpoint) {
  CheckpointPolicy policy(kLimits);
  policy.committed(3);
  EXPECT_EQ(policy.due(), CheckpointKind::kNone);
}

TEST(CheckpointPolicy, APartialCheckpointIsDueAfterEachStep) {
  CheckpointPolicy policy(kLimits);
  policy.committed(4);
  EXPECT_EQ(policy.due(), CheckpointKind::kPartial);
  policy.started();
  EXPECT_EQ(policy.due(), CheckpointKind::kNone);
  policy.committed(8);
  EXPECT_EQ(policy.due(), CheckpointKind::kPartial);
}

TEST(CheckpointPolicy, ALogThatStartedOverCountsFromZero) {
  CheckpointPolicy policy(kLimits);
  policy.committed(8);
  policy.started();
  policy.committed(4);
  EXPECT_EQ(policy.due(), CheckpointKind::kPartial);
}

TEST(CheckpointPolicy, ALongLogNeedsAFullCheckpointUntilOneEnds) {
  CheckpointPolicy policy(kLimits);
  policy.committed(32);
  policy.started();
  EXPECT_EQ(policy.due(), CheckpointKind::kFull);
  policy.restarted();
  EXPECT_EQ(policy.due(), CheckpointKind::kNone);
}

TEST(CheckpointPolicy, AFailedFullCheckpointIsDueAgainAfterTheNextCommit) {
  CheckpointPolicy policy(kLimits);
  policy.committed(32);
  policy.started();
  policy.restarted();
  policy.committed(33);
  EXPECT_EQ(policy.due(), CheckpointKind::kFull);
}

TEST(CheckpointPolicy, CommitsStallAtTheMaximumLengthUntilAFullCheckpointEnds) {
  CheckpointPolicy policy(kLimits);
  policy.committed(63);
  EXPECT_FALSE(policy.must_stall_commits());
  policy.committed(64);
  EXPECT_TRUE(policy.must_stall_commits());
  policy.restarted();
  EXPECT_FALSE(policy.must_stall_commits());
}

}  // namespace
}  // namespace oriel
