#include "supervisor/cluster/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace oriel {
namespace {

NodeLoad load(std::size_t sessions, std::size_t max_sessions) {
  return {.sessions = sessions, .max_sessions = max_sessions};
}

Node node(std::string name, NodeLoad load) {
  return {.name = std::move(name), .life = {}, .load = load};
}

TEST(R_CLUSTER_5_Placement, ASpreadSessionGoesToTheNodeWithTheLowestShareInUse) {
  const std::vector<Node> others = {node("b", load(3, 10)), node("c", load(5, 100))};
  EXPECT_EQ(least_loaded_node(load(1, 10), others), "c");
  EXPECT_EQ(least_loaded_node(load(0, 10), others), "");
}

TEST(R_CLUSTER_5_Placement, OfEquallyLoadedNodesTheAskedOneIsPreferred) {
  EXPECT_EQ(least_loaded_node(load(1, 10), std::vector{node("b", load(10, 100))}), "");
  EXPECT_EQ(
      least_loaded_node(load(5, 10), std::vector{node("b", load(1, 10)), node("c", load(1, 10))}),
      "b");
}

TEST(R_CLUSTER_5_Placement, ANodeThatDrainsOrHasNotToldItsLimitGetsNoSession) {
  Node draining = node("b", load(0, 10));
  draining.load.is_draining = true;
  const std::vector<Node> others = {draining, node("c", {})};
  EXPECT_EQ(least_loaded_node(load(9, 10), others), "");
  NodeLoad own = load(0, 10);
  own.is_draining = true;
  EXPECT_EQ(least_loaded_node(own, std::vector{node("d", load(9, 10))}), "d");
}

}  // namespace
}  // namespace oriel
