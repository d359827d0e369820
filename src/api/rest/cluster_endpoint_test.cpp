#include "api/rest/cluster_endpoint.h"

#include "base/text/json_access.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

ClusterStatus two_nodes() {
  ClusterStatus status{.nodes = {}, .log = "log-1", .place = 7, .known = 10};
  status.nodes.push_back(
      {.node = {.name = "a", .life = "a.1", .place = 7}, .is_self = true, .is_serving = true});
  status.nodes.push_back(
      {.node = {.name = "b", .life = "b.1", .place = 4}, .lag = 6, .has_same_chain = true});
  status.chain = ChainVerdict::kAgreed;
  status.warnings = {"look"};
  return status;
}

TEST(R_CLUSTER_7, TheStatusNamesEachNodeAndHowFarItIs) {
  const boost::json::object body = to_json(two_nodes());
  const auto& nodes = body.at("nodes").as_array();
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(text_at(nodes[0], "name"), "a");
  EXPECT_TRUE(is_true(member(nodes[0], "self")));
  EXPECT_TRUE(member(nodes[0], "chain_agreed").is_null()) << "not compared with itself";
  EXPECT_EQ(number_of(member(nodes[1], "lag")), 6);
  EXPECT_FALSE(is_true(member(nodes[1], "serving")));
  EXPECT_TRUE(is_true(member(nodes[1], "chain_agreed")));
}

TEST(R_CLUSTER_7, TheStatusShowsTheLogTheServersAndTheWarnings) {
  const boost::json::object body = to_json(two_nodes());
  EXPECT_EQ(text_at(body, "log", "name"), "log-1");
  EXPECT_EQ(text_at(body, "log", "chain"), "agreed");
  EXPECT_EQ(number_of(member(body, "log", "known")), 10);
  EXPECT_FALSE(is_true(member(body, "nats", "connected")));
  EXPECT_EQ(body.at("warnings").as_array().size(), 1);
}

}  // namespace
}  // namespace oriel
