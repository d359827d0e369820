#include "supervisor/cluster/placement.h"

#include <gmock/gmock.h>

#include <vector>

namespace oriel {
namespace {

using testing::HasSubstr;

NodeLoad load(std::size_t sessions, std::size_t max_sessions) {
  return {.sessions = sessions, .max_sessions = max_sessions};
}

Node node(std::string name, NodeLoad load, NodeLabels labels = {}) {
  return {.name = std::move(name), .life = {}, .labels = std::move(labels), .load = load};
}

Node own(NodeLoad load, NodeLabels labels = {}) {
  return node("a", load, std::move(labels));
}

// Of a session that asks for these labels.
std::string spread(const Node& own, const std::vector<Node>& others,
                   const NodeLabels& wanted = {}) {
  const auto chosen = choose_node(Placement::kSpread, own, others, wanted);
  return chosen ? *chosen : describe(chosen.error());
}

TEST(R_CLUSTER_5_Placement, ASpreadSessionGoesToTheNodeWithTheLowestShareInUse) {
  const std::vector<Node> others = {node("b", load(3, 10)), node("c", load(5, 100))};
  EXPECT_EQ(spread(own(load(1, 10)), others), "c");
  EXPECT_EQ(spread(own(load(0, 10)), others), "");
}

TEST(R_CLUSTER_5_Placement, OfEquallyLoadedNodesTheAskedOneIsPreferred) {
  EXPECT_EQ(spread(own(load(1, 10)), {node("b", load(10, 100))}), "");
  EXPECT_EQ(spread(own(load(5, 10)), {node("b", load(1, 10)), node("c", load(1, 10))}), "b");
}

TEST(R_CLUSTER_5_Placement, ANodeThatDrainsOrHasNotToldItsLimitGetsNoSession) {
  Node draining = node("b", load(0, 10));
  draining.load.is_draining = true;
  EXPECT_EQ(spread(own(load(9, 10)), {draining, node("c", {})}), "");
  Node leaving = own(load(0, 10));
  leaving.load.is_draining = true;
  EXPECT_EQ(spread(leaving, {node("d", load(9, 10))}), "d");
}

TEST(R_CLUSTER_5_Placement, ANodeAtItsLimitGetsNoSessionWhileAnotherHasRoom) {
  EXPECT_EQ(spread(own(load(99, 100)), {node("b", load(1, 1))}), "");
  EXPECT_EQ(spread(own(load(1, 1)), {node("b", load(99, 100))}), "b");
  const std::vector<Node> others = {node("b", load(0, 10)), node("c", load(5, 10))};
  const auto told = choose_node(Placement::kSpread, own(load(9, 10)), others, {}, {"b"});
  EXPECT_EQ(*told, "c") << "b has said that it is full, which its load does not show yet";
}

TEST(R_CLUSTER_5_Placement, ASessionGoesToTheLeastLoadedNodeWithItsLabels) {
  const std::vector<Node> others = {node("b", load(5, 10), {"gpu", "linux"}),
                                    node("c", load(2, 10), {"gpu"}), node("d", load(0, 10))};
  const Node self = own(load(0, 10), {"linux"});
  EXPECT_EQ(spread(self, others, {"gpu"}), "c");
  EXPECT_EQ(spread(self, others, {"linux", "gpu"}), "b");
  EXPECT_EQ(spread(self, others, {"linux"}), "");
}

TEST(R_CLUSTER_5_Placement, ALocalSessionLeavesItsNodeOnlyForALabel) {
  const std::vector<Node> others = {node("b", load(0, 10), {"gpu"})};
  EXPECT_EQ(*choose_node(Placement::kLocal, own(load(9, 10)), others, {}), "");
  EXPECT_EQ(*choose_node(Placement::kLocal, own(load(9, 10)), others, {"gpu"}), "b");
  EXPECT_EQ(*choose_node(Placement::kLocal, own(load(9, 10), {"gpu"}), others, {"gpu"}), "");
}

TEST(R_CLUSTER_5_Placement, TheErrorNamesTheLabelThatNoNodeHas) {
  const std::vector<Node> others = {node("b", load(0, 10), {"gpu"})};
  const Node self = own(load(0, 10), {"linux"});
  EXPECT_THAT(spread(self, others, {"gpu", "arm"}),
              HasSubstr("no node that can be reached has the label \"arm\""));
  EXPECT_THAT(spread(self, others, {"gpu", "linux"}),
              HasSubstr("the labels \"gpu\", \"linux\" together"));
  EXPECT_THAT(spread(self, others, {"arm"}), HasSubstr("--node-labels arm"));
}

TEST(R_CLUSTER_5_Placement, TheErrorSaysThatNodesWithTheLabelTakeNoSessions) {
  Node draining = node("b", load(0, 10), {"gpu"});
  draining.load.is_draining = true;
  EXPECT_THAT(spread(own(load(0, 10)), {draining}, {"gpu"}),
              HasSubstr("every node with the label \"gpu\" is starting or stopping"));
}

TEST(R_CLUSTER_5_Placement, ANamedNodeWithoutTheLabelIsRefusedByName) {
  const Error error = lacks_labels(node("b", {}, {"linux"}), {"linux", "gpu"});
  EXPECT_THAT(error.message, HasSubstr("\"b\" lacks the label \"gpu\""));
  EXPECT_EQ(error.kind, ErrorKind::kInvalidRequest);
}

}  // namespace
}  // namespace oriel
