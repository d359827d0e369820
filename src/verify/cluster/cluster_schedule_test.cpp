#include "verify/cluster/cluster_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace oriel {
namespace {

std::vector<ClusterFault> faults(std::uint64_t seed, std::size_t count) {
  ClusterSchedule schedule(seed, 3);
  std::vector<ClusterFault> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(schedule.next());
  return made;
}

TEST(ClusterSchedule, ASeedRepeatsItsFaults) {
  EXPECT_EQ(faults(1, 30), faults(1, 30));
  EXPECT_NE(faults(1, 30), faults(2, 30));
}

TEST(ClusterSchedule, EachRoundHasEveryKindOnce) {
  const std::vector<ClusterFault> made = faults(7, 2 * kClusterFaultKinds);
  for (std::size_t round = 0; round < 2; ++round) {
    std::set<ClusterFaultKind> kinds;
    for (std::size_t i = 0; i < kClusterFaultKinds; ++i)
      kinds.insert(made[round * kClusterFaultKinds + i].kind);
    EXPECT_EQ(kinds.size(), kClusterFaultKinds);
  }
}

TEST(ClusterSchedule, ItIsCompleteAfterTheFirstRound) {
  ClusterSchedule schedule(7, 3);
  for (std::size_t i = 0; i < kClusterFaultKinds; ++i) {
    EXPECT_FALSE(schedule.is_complete());
    schedule.next();
  }
  EXPECT_TRUE(schedule.is_complete());
}

TEST(ClusterSchedule, EveryNodeIsHit) {
  std::set<std::size_t> nodes;
  for (const ClusterFault& fault : faults(7, 60))
    nodes.insert(fault.node);
  EXPECT_EQ(nodes, (std::set<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace oriel
