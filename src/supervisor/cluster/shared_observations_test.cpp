// Observed sessions in a cluster: seen everywhere, touched only where their transcript is.

#include "supervisor/cluster/cluster_testing.h"
#include "supervisor/cluster/owner_guard.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::SizeIs;

using R_CLUSTER_1_Observed = ClusterTest;
using R_CLUSTER_4_Observed = ClusterTest;
using R_CLUSTER_5_Observed = ClusterTest;
using R_CLUSTER_6_Observed = ClusterTest;

IncomingHook hook_of(const std::string& session_id, const std::string& prompt) {
  IncomingHook incoming;
  incoming.hook.kind = HookKind::kUserPromptSubmit;
  incoming.hook.session_id = session_id;
  incoming.hook.prompt = prompt;
  incoming.at = {.wall = wall_now(), .steady = std::chrono::steady_clock::now()};
  return incoming;
}

TEST_F(R_CLUSTER_1_Observed, AnObservedSessionIsSeenOnAllNodes) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("native", "hello"))));
  const SessionSnapshot seen =
      b.until("native", [](const SessionState& state) { return state.turns == 1; });
  EXPECT_TRUE(seen->is_observed);
  EXPECT_EQ(seen->node, "a");
  EXPECT_EQ(a.find("native")->node, "a");
  EXPECT_THAT(b.wait(b.supervisor().turns("native")).value(), SizeIs(1));
  EXPECT_EQ(b.document(owner_document_key("native")), owner_at_rest("a"));
  EXPECT_EQ(b.wait(b.supervisor().message("native", {.text = "hi"})).error().kind,
            ErrorKind::kObserved);
}

TEST_F(R_CLUSTER_5_Observed, AHookThatReachesAnotherNodeGoesToTheOneThatObservesTheAgent) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("native", "hello"))));
  b.until("native", [](const SessionState& state) { return state.turns == 1; });
  IncomingHook again = hook_of("native", "again");
  again.hook.pid = 42;
  const auto taken = b.wait(b.supervisor().observe(std::move(again)));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(*taken, "native");
  b.until("native", [](const SessionState& state) { return state.turns == 2; });
  EXPECT_EQ(b.document(owner_document_key("native")), owner_at_rest("a"));
  const auto stored = parse_observed_document(b.document(observed_document_key("native")));
  ASSERT_TRUE(stored);
  EXPECT_FALSE(stored->pid) << "the process is not of that machine";
}

TEST_F(R_CLUSTER_5_Observed, TheNodeThatObservesTheAgentChecksTheSenderOfItsHook) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("native", "hello"))));
  b.until("native", [](const SessionState& state) { return state.turns == 1; });
  IncomingHook foreign = hook_of("native", "again");
  foreign.projects = {"other"};
  const auto refused = b.wait(b.supervisor().observe(std::move(foreign)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNotAllowed);
}

TEST_F(R_CLUSTER_5_Observed, AHookWhoseNodeIsGoneIsRefusedAndStartsNoSecondSession) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("native", "hello"))));
  b.until("native", [](const SessionState& state) { return state.turns == 1; });
  settle();
  cut_off(a);
  const std::uint64_t place = log_.last_place();
  const auto refused = b.wait(b.supervisor().observe(hook_of("native", "again")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_EQ(refused.error().hint, kHookHint);
  EXPECT_EQ(log_.last_place(), place);
}

TEST_F(R_CLUSTER_4_Observed, AnotherNodeEvictsOnlyItsOwn) {
  SupervisorOptions few = options();
  few.observer.max_observed = 1;
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b", few);
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("of-a", "hello"))));
  b.until("of-a", [](const SessionState& state) { return state.turns == 1; });
  for (const char* const id : {"one", "two"}) {
    ASSERT_TRUE(b.wait(b.supervisor().observe(hook_of(id, "hello"))));
    b.until(id, [](const SessionState& state) { return state.turns == 1; });
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!b.document(owner_document_key("one")).empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  settle();
  EXPECT_EQ(a.find("one"), nullptr);
  EXPECT_EQ(b.find("one"), nullptr);
  EXPECT_NE(a.find("two"), nullptr);
  EXPECT_NE(b.find("of-a"), nullptr);
  EXPECT_NE(a.find("of-a"), nullptr);
}

TEST_F(R_CLUSTER_6_Observed, ANodeThatRestartsGoesOnToObserve) {
  SupervisorNode& b = start("b");
  SupervisorNode& a = start("a");
  ASSERT_TRUE(a.wait(a.supervisor().observe(hook_of("native", "hello"))));
  b.until("native", [](const SessionState& state) { return state.turns == 1; });
  stop("a");
  EXPECT_EQ(b.find("native")->node, "a");
  SupervisorNode& again = start("a");
  ASSERT_TRUE(again.wait(again.supervisor().observe(hook_of("native", "and on"))));
  b.until("native", [](const SessionState& state) { return state.turns == 2; });
}

}  // namespace
}  // namespace oriel
