#include "supervisor/cluster/cluster_testing.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>

#include <string>
#include <utility>

namespace oriel {
namespace {

// Nodes that compare workspaces.
class SharedChangesTest : public ClusterTest {
 protected:
  SupervisorNode& start_comparing(const std::string& name) {
    SupervisorOptions own = options();
    own.changes.directory = directory_ / name / "snapshots";
    return start(name, std::move(own));
  }

  static Result<ChangesAnswer> changes(SupervisorNode& node, const std::string& id,
                                       ChangesQuery query = {}) {
    return node.wait(node.supervisor().changes(id, std::move(query)));
  }
};

using R_CLUSTER_5_Changes = SharedChangesTest;

TEST_F(R_CLUSTER_5_Changes, TheNodeThatRunsTheSessionShowsItsChangesOnAllNodes) {
  SupervisorNode& a = start_comparing("a");
  SupervisorNode& b = start_comparing("b");
  const std::string id = create_idle(a);
  settle();
  directory_.add("a/workspaces/" + id + "/new", "hello\n");
  const auto here = changes(a, id);
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(here->json.at("source"), "git");
  EXPECT_EQ(here->json.at("added"), 1);
  const auto there = changes(b, id);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(there->json.at("files"), here->json.at("files"));
  const auto diff = changes(b, id, {.part = ChangesPart::kDiff, .path = "new"});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_THAT(std::string(diff->json.at("patch").as_string()), testing::HasSubstr("+hello\n"));
  EXPECT_EQ(changes(b, id, {.part = ChangesPart::kDiff, .path = "none"}).error().kind,
            ErrorKind::kUnknownFile);
}

TEST_F(R_CLUSTER_5_Changes, WithoutThatNodeTheEventsAreShownAndTheAnswerSaysSo) {
  SupervisorNode& a = start_comparing("a");
  SupervisorNode& b = start_comparing("b");
  const std::string id = create_idle(a);
  settle();
  cut_off(a);
  const auto there = changes(b, id);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(there->json.at("source"), "events");
  EXPECT_THAT(std::string(there->json.at("note").as_string()),
              testing::HasSubstr("this node has no snapshot"));
}

using R_ORGANIZE_1_Cluster = SharedChangesTest;

TEST_F(R_ORGANIZE_1_Cluster, AnyNodeRenamesASessionAndAllNodesShowItAlsoOnesThatJoinLater) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  const auto renamed = b.wait(b.supervisor().organize(id, {.title = "given"}, "ann"));
  ASSERT_TRUE(renamed) << renamed.error().message;
  EXPECT_EQ((*renamed)->title, "given");
  a.until(id, [](const SessionState& state) { return state.title == "given"; });
  const auto pinned = a.wait(a.supervisor().organize(id, {.is_pinned = true}, "bob"));
  ASSERT_TRUE(pinned) << pinned.error().message;
  b.until(id, [](const SessionState& state) { return state.is_pinned; });
  SupervisorNode& late = start("c");
  EXPECT_EQ(late.find(id)->title, "given");
  EXPECT_TRUE(late.find(id)->is_pinned);
}

}  // namespace
}  // namespace oriel
