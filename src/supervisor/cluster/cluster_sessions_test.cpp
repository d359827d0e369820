// Several nodes over one log, each with journal, supervisor and real agents.

#include "supervisor/cluster/cluster_sessions.h"

#include "base/eventually_testing.h"
#include "supervisor/cluster/cluster_testing.h"
#include "supervisor/cluster/owner_guard.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kByAnn = "ann";

// The number of events of this type that contain this.
std::size_t count(const std::vector<RecordPtr>& records, std::string_view type,
                  std::string_view part = "") {
  const std::string with_type = "\"type\":\"" + std::string(type) + "\"";
  return static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(), [&](const RecordPtr& record) {
        return record->body.find(with_type) != std::string::npos &&
               record->body.find(part) != std::string::npos;
      }));
}

bool is_done(const SessionState& state) {
  return state.state == WorkState::kComplete;
}

using R_CLUSTER_1 = ClusterTest;
using R_CLUSTER_2 = ClusterTest;
using R_CLUSTER_3 = ClusterTest;
using R_CLUSTER_4 = ClusterTest;
using R_CLUSTER_5 = ClusterTest;
using R_CLUSTER_6 = ClusterTest;
using R_CLUSTER_7 = ClusterTest;

// Everything is seen from everywhere.

TEST_F(R_CLUSTER_1, EveryNodeShowsTheSessionsOfAllWithTheirNode) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string of_a = create_idle(a);
  const std::string of_b = create_at_work(b);
  settle();
  for (const auto& [name, node] : nodes_) {
    EXPECT_THAT(node->wait(node->supervisor().list({})), SizeIs(2)) << name;
    EXPECT_EQ(node->find(of_a)->node, "a") << name;
    EXPECT_EQ(node->find(of_a)->status, SessionStatus::kIdle) << name;
    EXPECT_EQ(node->find(of_b)->node, "b") << name;
    EXPECT_EQ(node->find(of_b)->status, SessionStatus::kRunning) << name;
    EXPECT_TRUE(node->find(of_b)->is_live) << name;
    EXPECT_THAT(node->wait(node->supervisor().turns(of_a)).value(), SizeIs(2)) << name;
  }
}

TEST_F(R_CLUSTER_1, ASessionThatIsEvictedDisappearsFromAllNodes) {
  SupervisorOptions few = options();
  few.limits.max_kept_sessions = 1;
  SupervisorNode& a = start("a", few);
  SupervisorNode& b = start("b", few);
  const std::string of_b = create_idle(b);
  const std::string first = create_idle(a);
  const auto ended = a.wait(a.supervisor().end(first, kByAnn));
  ASSERT_TRUE(ended);
  const std::string second = create_idle(a);
  ASSERT_TRUE(a.wait(a.supervisor().end(second, kByAnn)));
  create_idle(a);
  settle();
  EXPECT_EQ(a.find(first), nullptr);
  EXPECT_EQ(b.find(first), nullptr);
  EXPECT_NE(a.find(of_b), nullptr);  // it is not a's to evict
  EXPECT_EQ(b.document(owner_document_key(first)), "");
}

TEST_F(R_CLUSTER_3, AllNodesHaveTheSameEventsInTheSameOrder) {
  log_.repeat_entries();
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string of_a = create_idle(a);
  const std::string of_b = create_idle(b);
  ASSERT_TRUE(b.wait(b.supervisor().message(of_a, {.text = "one"})));
  ASSERT_TRUE(a.wait(a.supervisor().message(of_b, {.text = "two"})));
  a.until(of_a, is_done);
  b.until(of_b, is_done);
  settle();
  const auto at_a = a.all_events();
  const auto at_b = b.all_events();
  ASSERT_EQ(at_a.size(), at_b.size());
  for (std::size_t i = 0; i < at_a.size(); ++i) {
    EXPECT_EQ(at_a[i]->sequence, at_b[i]->sequence);
    EXPECT_EQ(at_a[i]->session_id, at_b[i]->session_id);
    EXPECT_EQ(at_a[i]->index, at_b[i]->index);
    EXPECT_EQ(at_a[i]->body, at_b[i]->body);
  }
}

// Commands.

TEST_F(R_CLUSTER_5, AMessageFromAnotherNodeReachesTheOwnerAndIsReadAtOnce) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  const auto taken = b.wait(b.supervisor().message(id, {.text = "again", .by = kByAnn}));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(count(b.events(id), "message", "again"), 1U);
  EXPECT_EQ(b.find(id)->task_id, taken->task_id);
  NewTurn spoken{.session_id = id, .text = "spoken", .origin = {}, .request_id = "", .by = kByAnn};
  const auto said = b.wait(b.supervisor().say(std::move(spoken)));
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(count(b.events(id), "message", "spoken"), 1U);
  EXPECT_EQ(b.find(id)->node, "a");
}

TEST_F(R_CLUSTER_5, AnotherNodeCancelsAndEndsASession) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_at_work(a);
  settle();
  const auto cancelled = b.wait(b.supervisor().cancel(id, kByAnn));
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(*cancelled, a.find(id)->task_id);
  const auto ended = b.wait(b.supervisor().end(id, kByAnn));
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ((*ended)->status, SessionStatus::kCompleted);
  EXPECT_EQ((*ended)->node, "a");
  EXPECT_EQ(b.find(id)->status, SessionStatus::kCompleted);
  EXPECT_EQ(b.wait(b.supervisor().message(id, {.text = "late"})).error().kind,
            ErrorKind::kSessionEnded);
}

TEST_F(R_CLUSTER_5, TheOwnersErrorArrivesWithKindMessageAndHint) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  const auto here = a.wait(a.supervisor().cancel(id, kByAnn));
  const auto there = b.wait(b.supervisor().cancel(id, kByAnn));
  ASSERT_FALSE(here);
  ASSERT_FALSE(there);
  EXPECT_EQ(there.error(), here.error());
}

TEST_F(R_CLUSTER_5, AMessageWhoseAnswerWasLostIsRepeatedWithoutASecondEffect) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  network_.lose_next_answer(std::string(MessageCall::kMethod));
  const UserMessage said{.text = "once only", .request_id = "r1", .by = kByAnn};
  const auto lost = b.wait(b.supervisor().message(id, said));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(lost.error().hint, HasSubstr("request_id"));
  const auto repeated = b.wait(b.supervisor().message(id, said));
  ASSERT_TRUE(repeated) << repeated.error().message;
  EXPECT_TRUE(repeated->is_repeat);
  EXPECT_EQ(count(a.events(id), "message", "once only"), 1U);
}

TEST_F(R_CLUSTER_5, OfAnswersFromTwoNodesAtOnceTheFirstCounts) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  SupervisorNode& c = start("c");
  NewSession wanted;
  wanted.message = "ask";
  wanted.by = kByAnn;
  const std::string id = a.wait(a.supervisor().create(wanted)).value().session->session_id;
  const auto asks = [](const SessionState& state) { return !state.pending.empty(); };
  const std::string permission_id = b.until(id, asks)->pending.at(0).permission_id;
  EXPECT_EQ(c.until(id, asks)->pending.at(0).asked.title, "write a file");
  Decision decision{.is_allowed = true, .option_id = "", .answers = {}, .by = kByAnn};
  auto yes = b.begin(b.supervisor().answer(id, permission_id, decision));
  decision.is_allowed = false;
  auto no = c.begin(c.supervisor().answer(id, permission_id, decision));
  const auto from_b = yes.get();
  const auto from_c = no.get();
  EXPECT_NE(from_b.has_value(), from_c.has_value());
  EXPECT_EQ((from_b ? from_c : from_b).error().kind, ErrorKind::kAlreadyResolved);
  EXPECT_EQ(*(from_b ? from_b : from_c), from_b ? "allowed" : "denied");
  a.until(id, is_done);
  settle();
  for (const auto& [name, node] : nodes_) {
    EXPECT_THAT(node->find(id)->pending, IsEmpty()) << name;
    EXPECT_EQ(count(node->events(id), "permission", "\"status\":\"pending\""), 1U) << name;
    const auto events = node->events(id);
    EXPECT_EQ(count(events, "permission", "\"status\":\"allowed\"") +
                  count(events, "permission", "\"status\":\"denied\""),
              1U)
        << name;
  }
}

// Creation.

TEST_F(R_CLUSTER_5, ASessionIsCreatedOnTheNodeThatTheRequestNames) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  NewSession wanted;
  wanted.message = "hello";
  wanted.node = "b";
  const auto created = a.wait(a.supervisor().create(wanted));
  ASSERT_TRUE(created) << created.error().message;
  const std::string id = created->session->session_id;
  EXPECT_EQ(created->session->node, "b");
  EXPECT_EQ(a.find(id)->node, "b");
  EXPECT_EQ(b.document(owner_document_key(id)), b.life());
  b.until(id, is_done);
  wanted.node = "nowhere";
  const auto refused = a.wait(a.supervisor().create(wanted));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
}

TEST_F(R_CLUSTER_5, SpreadSessionsGoToTheNodeThatRunsFewest) {
  SupervisorOptions spread = options();
  spread.cluster.placement = Placement::kSpread;
  SupervisorNode& a = start("a", spread);
  start("b", spread);
  const std::string first = create_at_work(a);
  EXPECT_EQ(a.find(first)->node, "a");
  NewSession wanted;
  const auto second = a.wait(a.supervisor().create(wanted));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->session->node, "b");
}

TEST_F(R_CLUSTER_5, ASessionIsCreatedOnANodeWithTheLabelsOfItsRequestAndItsAgent) {
  SupervisorOptions plain = options();
  AgentSpec trainer = plain.agents.front();
  trainer.name = "trainer";
  trainer.node_labels = {"gpu"};
  plain.agents.push_back(trainer);
  SupervisorOptions labelled = plain;
  labelled.cluster.labels = {"gpu", "linux"};
  SupervisorNode& a = start("a", plain);
  start("b", labelled);
  const auto node_for = [&](const NewSession& wanted) {
    const auto created = a.wait(a.supervisor().create(wanted));
    return created ? created->session->node : describe(created.error());
  };
  NewSession wanted;
  EXPECT_EQ(node_for(wanted), "a");
  wanted.node_labels = {"linux"};
  EXPECT_TRUE(eventually([&] { return node_for(wanted) == "b"; })) << "once its load is known";
  wanted.node_labels = {};
  wanted.agent = "trainer";
  EXPECT_EQ(node_for(wanted), "b");
  wanted.node_labels = {"arm"};
  EXPECT_THAT(node_for(wanted), HasSubstr("the label \"arm\""));
  wanted.node_labels = {};
  wanted.node = "a";
  EXPECT_THAT(node_for(wanted), HasSubstr("\"a\" lacks the label \"gpu\""));
}

TEST_F(R_CLUSTER_5, ASessionThatIsSpreadToAFullNodeGoesToAnother) {
  SupervisorOptions spread = options();
  spread.cluster.placement = Placement::kSpread;
  SupervisorOptions small = spread;
  small.limits.max_sessions = 1;
  SupervisorNode& a = start("a", spread);
  SupervisorNode& b = start("b", small);
  create_at_work(a);
  EXPECT_TRUE(eventually([&] {
    const std::vector<Node> others = a.peers().alive();
    return others.size() == 1 && others[0].load.max_sessions == 1;
  }));
  for (const char* const expected : {"b", "a"}) {
    NewSession wanted;
    wanted.message = "work";
    const auto created = a.wait(a.supervisor().create(wanted));
    ASSERT_TRUE(created) << created.error().message;
    EXPECT_EQ(created->session->node, expected) << "its load is told a second later";
  }
  EXPECT_THAT(b.wait(b.supervisor().list({})), SizeIs(3));
}

TEST_F(R_CLUSTER_2, ANodeWithoutTheLabelsOfItsAgentDoesNotTakeASessionOver) {
  SupervisorOptions shared = options();
  shared.sandbox.workspaces = directory_ / "shared";
  shared.cluster.has_shared_workspaces = true;
  shared.agents.front().node_labels = {"gpu"};
  SupervisorOptions labelled = shared;
  labelled.cluster.labels = {"gpu"};
  SupervisorNode& a = start("a", labelled);
  SupervisorNode& b = start("b", shared);
  SupervisorNode& c = start("c", labelled);
  const std::string id = create_at_work(a);
  settle();
  cut_off(a);
  network_.lose("a");
  c.until(id, [](const SessionState& state) { return state.node == "c"; });
  const auto taken = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(b.until(id, is_done)->node, "c");
}

TEST_F(R_CLUSTER_5, ARequestThatTwoNodesGetAtOnceCreatesOneSession) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  for (int i = 0; i < 10; ++i) {
    NewSession wanted;
    wanted.message = "hello";
    wanted.request_id = "r" + std::to_string(i);
    wanted.by = kByAnn;
    auto at_a = a.begin(a.supervisor().create(wanted));
    auto at_b = b.begin(b.supervisor().create(wanted));
    const auto one = at_a.get();
    const auto other = at_b.get();
    ASSERT_TRUE(one) << one.error().message;
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(one->session->session_id, other->session->session_id);
    EXPECT_EQ(one->task_id, other->task_id);
    EXPECT_NE(one->is_repeat, other->is_repeat);
  }
  settle();
  EXPECT_THAT(a.wait(a.supervisor().list({})), SizeIs(10));
  EXPECT_THAT(b.wait(b.supervisor().list({})), SizeIs(10));
  const auto events = a.all_events();
  const auto is_creation = [](const RecordPtr& record) {
    return record->type == event::SessionCreated::kFeedType;
  };
  EXPECT_EQ(std::count_if(events.begin(), events.end(), is_creation), 10);
}

TEST_F(R_CLUSTER_5, ARequestIsRepeatedOnAnotherNode) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  NewSession wanted;
  wanted.message = "hello";
  wanted.request_id = "r1";
  wanted.by = kByAnn;
  const auto first = a.wait(a.supervisor().create(wanted));
  ASSERT_TRUE(first);
  settle();
  const auto again = b.wait(b.supervisor().create(wanted));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->session->session_id, first->session->session_id);
  EXPECT_EQ(again->task_id, first->task_id);
}

// A lost owner.

TEST_F(R_CLUSTER_4, AnOwnerThatWasTakenOverStoresNothingMore) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_at_work(a);
  settle();
  const std::size_t before = a.events(id).size();
  cut_off(a);
  auto late = a.begin(a.supervisor().message(id, {.text = "too late"}));
  EXPECT_TRUE(eventually([&] { return has_waiting(a); }));
  EXPECT_TRUE(a.find(id)->queue.empty());  // it is not stored
  network_.lose("a");
  b.until(id, [](const SessionState& state) { return state.state == WorkState::kIdle; });
  const std::size_t after = b.events(id).size();
  EXPECT_GT(after, before);
  heal(a);
  const auto refused = late.get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kOvertaken);
  EXPECT_THAT(refused.error().hint, HasSubstr("retry"));
  settle();
  a.until(id, [](const SessionState& state) { return !state.is_live; });
  EXPECT_EQ(count(a.events(id), "message", "too late"), 0U);
  EXPECT_EQ(a.events(id).size(), after);
  EXPECT_EQ(b.events(id).size(), after);
}

TEST_F(R_CLUSTER_4, TheAgentOfAnOwnerThatWasTakenOverIsKilled) {
  SupervisorOptions patient = options();
  patient.runner.agent.close_grace = std::chrono::hours(1);
  patient.runner.agent.term_grace = std::chrono::hours(1);
  SupervisorNode& a = start("a", patient);
  SupervisorNode& b = start("b");
  const std::string id = create_at_work(a);
  settle();
  int agent = 0;
  std::ifstream(std::filesystem::path(a.find(id)->workspace) / "pid") >> agent;
  ASSERT_GT(agent, 0);
  EXPECT_EQ(::kill(agent, 0), 0);
  cut_off(a);
  network_.lose("a");
  b.until(id, [](const SessionState& state) { return state.state == WorkState::kIdle; });
  heal(a);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (::kill(agent, 0) == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_NE(::kill(agent, 0), 0);
}

TEST_F(R_CLUSTER_2, EveryLostSessionIsInterruptedOnce) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  SupervisorNode& c = start("c");
  const std::string first = create_at_work(a);
  const std::string second = create_at_work(a);
  const std::string idle = create_idle(a);
  settle();
  cut_off(a);
  network_.lose("a");
  const auto is_interrupted = [](const SessionState& state) {
    return state.state == WorkState::kIdle;
  };
  for (const std::string& id : {first, second}) {
    b.until(id, is_interrupted);
    c.until(id, is_interrupted);
  }
  settle_except(&a);
  for (SupervisorNode* node : {&b, &c}) {
    for (const std::string& id : {first, second}) {
      EXPECT_EQ(count(node->events(id), "error"), 1U) << node->name();
      EXPECT_EQ(count(node->events(id), "completion"), 1U) << node->name();
      EXPECT_FALSE(node->find(id)->is_live) << node->name();
      EXPECT_THAT(node->find(id)->node, "a") << node->name();
    }
    EXPECT_EQ(count(node->events(idle), "error"), 0U) << node->name();
    EXPECT_FALSE(node->find(idle)->is_live) << node->name();
  }
}

TEST_F(R_CLUSTER_2, APermissionOfALostSessionIsWithdrawn) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  NewSession wanted;
  wanted.message = "ask";
  const std::string id = a.wait(a.supervisor().create(wanted)).value().session->session_id;
  b.until(id, [](const SessionState& state) { return !state.pending.empty(); });
  settle();
  cut_off(a);
  network_.lose("a");
  b.until(id, [](const SessionState& state) { return state.state == WorkState::kIdle; });
  EXPECT_THAT(b.find(id)->pending, IsEmpty());
  EXPECT_EQ(count(b.events(id), "permission", "\"status\":\"withdrawn\""), 1U);
}

TEST_F(R_CLUSTER_2, WithoutItsWorkspaceASessionWaitsForItsNode) {
  SupervisorNode& a = start("a");
  SupervisorNode& b = start("b");
  const std::string id = create_at_work(a);
  settle();
  cut_off(a);
  network_.lose("a");
  b.until(id, [](const SessionState& state) { return state.state == WorkState::kIdle; });
  const auto refused = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(refused.error().message, HasSubstr("workspace is there"));
  EXPECT_THAT(refused.error().hint, HasSubstr("follow-up session"));
  heal(a);
  settle();
  const auto taken = b.wait(b.supervisor().message(id, {.text = "go on"}));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(a.until(id, is_done)->node, "a");
}

TEST_F(R_CLUSTER_2, WithASharedWorkspaceAnotherNodeGoesOn) {
  SupervisorOptions shared = options();
  shared.sandbox.workspaces = directory_ / "shared";
  shared.cluster.has_shared_workspaces = true;
  SupervisorNode& a = start("a", shared);
  SupervisorNode& b = start("b", shared);
  const std::string at_work = create_at_work(a);
  const std::string idle = create_idle(a);
  settle();
  cut_off(a);
  network_.lose("a");
  b.until(at_work, [](const SessionState& state) { return state.node == "b"; });
  for (const std::string& id : {at_work, idle}) {
    const auto taken = b.wait(b.supervisor().message(id, {.text = "go on"}));
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(b.until(id, is_done)->node, "b");
    EXPECT_EQ(b.document(owner_document_key(id)), b.life());
  }
}

TEST_F(R_CLUSTER_4, ASessionWhoseWorkspaceTheNodesDoNotShareWaitsForItsNode) {
  SupervisorOptions shared = options();
  shared.cluster.has_shared_workspaces = true;
  SupervisorNode& a = start("a", shared);
  SupervisorNode& b = start("b", shared);
  const std::string id = create_at_work(a);
  settle();
  const std::filesystem::path workspace = b.find(id)->workspace;
  std::filesystem::rename(workspace, directory_ / "elsewhere");
  cut_off(a);
  network_.lose("a");
  b.until(id, [](const SessionState& state) { return state.status != SessionStatus::kRunning; });
  EXPECT_EQ(b.document(owner_document_key(id)), owner_at_rest("a"));
  EXPECT_EQ(b.wait(b.supervisor().message(id, {.text = "go on"})).error().kind,
            ErrorKind::kNodeUnreachable);
  std::filesystem::rename(directory_ / "elsewhere", workspace);
  EXPECT_TRUE(b.wait(b.supervisor().message(id, {.text = "go on"})));
}

// Restarts.

TEST_F(R_CLUSTER_6, ANodeThatJoinsLateShowsTheSame) {
  SupervisorNode& a = start("a");
  const std::string idle = create_idle(a);
  const std::string at_work = create_at_work(a);
  settle();
  SupervisorNode& b = start("b");
  EXPECT_EQ(*b.find(idle), *a.find(idle));
  EXPECT_EQ(b.find(at_work)->status, SessionStatus::kRunning);
  EXPECT_TRUE(b.find(at_work)->is_live);
  EXPECT_EQ(b.all_events().size(), a.all_events().size());
}

TEST_F(R_CLUSTER_6, ANodeThatWasStoppedGoesOnWithItsSessions) {
  start("b");
  const std::string idle = create_idle(start("a"));
  const std::string at_work = create_at_work(*nodes_["a"]);
  stop("a");
  SupervisorNode& a = start("a");
  SupervisorNode& b = *nodes_["b"];
  EXPECT_EQ(count(b.events(at_work), "error", "Oriel was stopped while the agent worked"), 1U);
  EXPECT_EQ(a.find(idle)->node, "a");
  for (const std::string& id : {idle, at_work}) {
    const auto taken = b.wait(b.supervisor().message(id, {.text = "go on"}));
    ASSERT_TRUE(taken) << taken.error().message;
    a.until(id, is_done);
    EXPECT_EQ(b.document(owner_document_key(id)), a.life());
  }
}

TEST_F(R_CLUSTER_6, ANodeThatWasKilledInterruptsItsSessionsWhenItIsBack) {
  SupervisorNode& b = start("b");
  SupervisorNode& old = start("a");
  const std::string id = create_at_work(old);
  settle();
  cut_off(old);  // and stays so
  const std::unique_ptr<SupervisorNode> killed = std::move(nodes_["a"]);
  network_.heal("a");
  SupervisorNode& a = start("a");
  const auto is_interrupted = [](const SessionState& state) {
    return state.state == WorkState::kIdle;
  };
  a.until(id, is_interrupted);
  b.until(id, is_interrupted);
  EXPECT_EQ(count(b.events(id), "error"), 1U);
  EXPECT_EQ(b.document(owner_document_key(id)), a.life());
  log_.heal(killed->life());
}

TEST_F(R_CLUSTER_6, TheFounderOwnsTheSessionsFromBeforeTheCluster) {
  SessionState old;
  old.session_id = "ses_old";
  old.agent = "obedient";
  old.workspace = directory_.make("old");
  old.is_in_task = true;
  old.task_id = "task_1";
  old.status = SessionStatus::kRunning;
  old.state = WorkState::kProcessing;
  SupervisorOptions founder = options();
  founder.cluster.is_founder = true;
  SupervisorNode& b = start("b");
  const std::vector<Document> documents = {
      {.key = document_key(old.session_id), .value = to_document(old)}};
  ASSERT_TRUE(b.wait(b.journal().append({}, documents)));
  SupervisorNode& a = start("a", founder);
  b.until(old.session_id, [](const SessionState& state) { return state.node == "a"; });
  EXPECT_EQ(b.document(owner_document_key(old.session_id)), a.life());
  EXPECT_EQ(b.find(old.session_id)->status, SessionStatus::kIdle);
}

// A log that cannot be reached.

TEST_F(R_CLUSTER_7, WithoutTheLogCommandsFailAndTakeEffectOnceItIsBack) {
  SupervisorOptions hasty = options();
  hasty.runner.command_timeout = std::chrono::seconds(2);
  SupervisorNode& a = start("a", hasty);
  SupervisorNode& b = start("b");
  const std::string id = create_idle(a);
  settle();
  log_.cut_off(a.life());
  const UserMessage said{.text = "in the dark", .request_id = "r1"};
  const auto late = a.wait(a.supervisor().message(id, said));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::kJournalBusy);
  EXPECT_THAT(late.error().hint, HasSubstr("request_id"));
  EXPECT_NE(a.find(id), nullptr);
  log_.heal(a.life());
  b.until(id, [](const SessionState& state) { return state.turns == 4; });
  const auto repeated = b.wait(b.supervisor().message(id, said));
  ASSERT_TRUE(repeated) << repeated.error().message;
  EXPECT_TRUE(repeated->is_repeat);
  EXPECT_EQ(count(b.events(id), "message", "in the dark"), 1U);
}

}  // namespace
}  // namespace oriel
