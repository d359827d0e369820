#include "supervisor/sessions/session_registry.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr RegistryLimits kSmall{
    .max_sessions = 3, .max_sessions_per_project = 2, .max_kept_sessions = 2};

SessionState idle(std::string id, int minute = 0) {
  SessionState state;
  state.session_id = std::move(id);
  state.created_at = WallTime(std::chrono::minutes(minute));
  state.updated_at = state.created_at;
  return state;
}

SessionState running(std::string id, std::string project_id = {}) {
  SessionState state = idle(std::move(id));
  state.project_id = std::move(project_id);
  state.status = SessionStatus::kRunning;
  return state;
}

std::vector<std::string> ids_of(const std::vector<SessionSnapshot>& sessions) {
  std::vector<std::string> ids;
  for (const SessionSnapshot& session : sessions)
    ids.push_back(session->session_id);
  return ids;
}

TEST(SessionRegistry, ListsTheNewestFirst) {
  SessionRegistry registry(kSmall);
  registry.add(idle("b", 2));
  registry.add(idle("a", 1));
  registry.add(idle("c", 2));
  EXPECT_THAT(ids_of(registry.list({})), ElementsAre("c", "b", "a"));
}

TEST(SessionRegistry, ObservedSessionsCountTowardsNoLimitAndAreNotEvictedForOthers) {
  SessionRegistry registry(kSmall);
  for (const char* id : {"a", "b", "c", "d"}) {
    SessionState observed = running(id, "shop");
    observed.is_observed = true;
    registry.add(observed);
  }
  EXPECT_TRUE(registry.check_limits("shop"));
  EXPECT_FALSE(registry.evict_oldest());
}

TEST(SessionRegistry, FindsAHostedSessionByWhatItsAgentCallsIt) {
  SessionRegistry registry(kSmall);
  SessionState hosted = idle("ses_1");
  hosted.agent_session_id = "native";
  registry.add(hosted);
  SessionState observed = idle("other");
  observed.is_observed = true;
  observed.agent_session_id = "other";
  registry.add(observed);
  ASSERT_NE(registry.find_hosted("native"), nullptr);
  EXPECT_EQ(registry.find_hosted("native")->state->session_id, "ses_1");
  EXPECT_EQ(registry.find_hosted("other"), nullptr);
}

TEST(SessionRegistry, FindsTheObservedSessionByTheFirstAndTheNewestIdOfItsAgent) {
  SessionRegistry registry(kSmall);
  SessionState observed = idle("first");
  observed.is_observed = true;
  observed.agent_session_id = "newest";
  registry.add(observed);
  SessionState hosted = idle("ses_1");
  hosted.agent_session_id = "hosted";
  registry.add(hosted);
  for (const char* const id : {"first", "newest"}) {
    ASSERT_NE(registry.find_observed(id), nullptr) << id;
    EXPECT_EQ(registry.find_observed(id)->state->session_id, "first");
  }
  for (const char* const id : {"ses_1", "hosted", "unknown"})
    EXPECT_EQ(registry.find_observed(id), nullptr) << id;
}

TEST(SessionRegistry, ListsWhatEveryFieldOfTheFilterAllows) {
  SessionRegistry registry(kSmall);
  SessionState wanted = running("a", "shop");
  wanted.agent = "droid";
  wanted.workspace = "/w";
  registry.add(wanted);
  registry.add(running("b", "shop"));
  registry.add(idle("c"));

  SessionFilter filter;
  filter.project_id = "shop";
  EXPECT_THAT(ids_of(registry.list(filter)), ElementsAre("b", "a"));
  filter.status = SessionStatus::kRunning;
  filter.agent = "droid";
  filter.workspace = "/w";
  EXPECT_THAT(ids_of(registry.list(filter)), ElementsAre("a"));
  filter.status = SessionStatus::kIdle;
  EXPECT_THAT(ids_of(registry.list(filter)), IsEmpty());
}

RequestKey request(std::string request_id, std::string owner = {}, std::string project_id = {}) {
  return {.owner = std::move(owner),
          .project_id = std::move(project_id),
          .request_id = std::move(request_id)};
}

TEST(SessionRegistry, FindsASessionByTheRequestThatMadeIt) {
  SessionRegistry registry(kSmall);
  SessionState state = idle("a");
  state.request_id = "r1";
  registry.add(state);
  registry.add(idle("b"));
  ASSERT_NE(registry.created_by(request("r1")), nullptr);
  EXPECT_EQ(registry.created_by(request("r1"))->state->session_id, "a");
  EXPECT_EQ(registry.created_by(request("r2")), nullptr);
  EXPECT_EQ(registry.created_by(request("")), nullptr);

  registry.remove("a");
  EXPECT_EQ(registry.created_by(request("r1")), nullptr);
  EXPECT_EQ(registry.find("a"), nullptr);
}

TEST(SessionRegistry, ARequestIsKnownByItsOwnerAndProject) {
  SessionRegistry registry(kSmall);
  SessionState state = idle("a");
  state.request_id = "r1";
  state.owner = "ann";
  state.project_id = "web";
  registry.add(state);
  EXPECT_NE(registry.created_by(request("r1", "ann", "web")), nullptr);
  EXPECT_EQ(registry.created_by(request("r1", "bob", "web")), nullptr);
  EXPECT_EQ(registry.created_by(request("r1", "ann", "api")), nullptr);
}

TEST(SessionRegistry, NewsOfASessionThatWasForgottenDoNotBringItBack) {
  SessionRegistry registry(kSmall);
  registry.add(idle("a"));
  registry.update(std::make_shared<const SessionState>(running("a")));
  EXPECT_EQ(registry.find("a")->state->status, SessionStatus::kRunning);
  registry.remove("a");
  registry.update(std::make_shared<const SessionState>(running("a")));
  EXPECT_EQ(registry.size(), 0U);
}

TEST(SessionRegistry, RunningAndStartingSessionsCountTowardsTheLimit) {
  SessionRegistry registry(kSmall);
  EXPECT_TRUE(registry.add(running("a")).is_active());
  SessionEntry& entry = registry.add(idle("b"));
  EXPECT_FALSE(entry.is_active());
  entry.is_claimed = true;
  EXPECT_TRUE(entry.is_active());
  SessionEntry& made = registry.add(idle("c"));
  made.is_being_created = true;
  EXPECT_TRUE(made.is_active());

  const auto allowed = registry.check_limits("");
  ASSERT_FALSE(allowed);
  EXPECT_EQ(allowed.error().kind, ErrorKind::kTooManySessions);
  EXPECT_EQ(allowed.error().message, "limit of 3 running agents reached");
  entry.is_claimed = false;
  EXPECT_TRUE(registry.check_limits(""));
}

TEST(SessionRegistry, AStateThatIsNotStoredYetCountsButIsNotListed) {
  SessionRegistry registry(kSmall);
  SessionEntry& entry = registry.add(idle("a"));
  entry.unstored = std::make_shared<const SessionState>(running("a"));
  EXPECT_TRUE(entry.is_active());
  EXPECT_EQ(registry.list({})[0]->status, SessionStatus::kIdle);
  registry.update(entry.unstored);
  EXPECT_EQ(registry.list({})[0]->status, SessionStatus::kRunning);
  EXPECT_EQ(entry.unstored, nullptr);
  entry.unstored = std::make_shared<const SessionState>(idle("a"));
  EXPECT_TRUE(entry.is_active());
  entry.close();
  EXPECT_EQ(entry.unstored, nullptr);
}

TEST(SessionRegistry, AProjectHasItsOwnLimit) {
  SessionRegistry registry(kSmall);
  registry.add(running("a", "shop"));
  registry.add(running("b", "shop"));
  EXPECT_TRUE(registry.check_limits(""));
  EXPECT_TRUE(registry.check_limits("other"));
  const auto allowed = registry.check_limits("shop");
  ASSERT_FALSE(allowed);
  EXPECT_THAT(allowed.error().message,
              HasSubstr("limit of 2 running agents in project shop reached"));
}

TEST(SessionRegistry, EvictsTheLeastRecentlyUsedAndNothingActive) {
  SessionRegistry registry(kSmall);
  registry.add(running("at work"));
  registry.add(idle("old", 1)).is_claimed = true;
  registry.add(idle("b", 3));
  registry.add(idle("a", 2));
  EXPECT_FALSE(registry.evict_oldest());
  registry.add(idle("c", 4));
  const auto oldest = registry.evict_oldest();
  ASSERT_TRUE(oldest);
  EXPECT_EQ(oldest->state->session_id, "a");
  EXPECT_EQ(registry.find("a"), nullptr);
  EXPECT_FALSE(registry.evict_oldest());
}

TEST(SessionRegistry, TheShardWithTheFewestRunnersIsTheQuietest) {
  SessionRegistry registry(kSmall);
  EXPECT_EQ(registry.least_loaded_shard(2), 0U);
  registry.add(idle("a")).shard = 0;
  EXPECT_EQ(registry.least_loaded_shard(2), 1U);
  registry.add(idle("b")).shard = 1;
  registry.add(idle("c"));
  EXPECT_EQ(registry.least_loaded_shard(2), 0U);
}

TEST(SessionRegistry, AFlagIsClearedWhateverBecomesOfItsScope) {
  SessionRegistry sessions({});
  SessionState state;
  state.session_id = "ses_1";
  const SessionEntry& entry = sessions.add(state);
  try {
    const EntryFlag claim(sessions, "ses_1", &SessionEntry::is_claimed);
    EXPECT_TRUE(entry.is_active());
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    EXPECT_FALSE(entry.is_active());
  }
  const EntryFlag claim(sessions, "ses_1", &SessionEntry::is_claimed);
  sessions.remove("ses_1");
}

// In a cluster.

SessionSnapshot shared(SessionState state) {
  return std::make_shared<const SessionState>(std::move(state));
}

TEST(R_CLUSTER_4_Registry, SessionsOfOtherNodesDoNotCountInLimitsAndAreNotEvicted) {
  SessionRegistry sessions({.max_sessions = 1, .max_kept_sessions = 1},
                           {.name = "a", .life = "a.2"});
  sessions.put(shared(running("ses_1")), "b.1");
  sessions.put(shared(idle("ses_2")), "b.1");
  EXPECT_TRUE(sessions.check_limits(""));
  EXPECT_EQ(sessions.active(), 0U);
  sessions.add(idle("ses_3"));
  EXPECT_FALSE(sessions.evict_oldest());
  sessions.put(shared(idle("ses_4")), "a.1");  // of an earlier life of this node
  EXPECT_TRUE(sessions.evict_oldest());
  EXPECT_FALSE(sessions.evict_oldest());
  sessions.add(running("ses_5"));
  EXPECT_EQ(sessions.active(), 1U);
  EXPECT_FALSE(sessions.check_limits(""));
}

TEST(R_CLUSTER_1_Registry, ASessionShowsTheNodeOfItsOwner) {
  SessionRegistry sessions({}, {.name = "a", .life = "a.2"});
  EXPECT_EQ(sessions.add(idle("ses_1")).state->node, "a");
  EXPECT_EQ(sessions.put(shared(idle("ses_2")), "b.1").state->node, "b");
  sessions.set_owner("ses_2", "c.7");
  EXPECT_EQ(sessions.find("ses_2")->state->node, "c");
  sessions.update(shared(running("ses_2")));
  EXPECT_EQ(sessions.find("ses_2")->state->node, "c");
  SessionRegistry alone({});
  EXPECT_EQ(alone.add(idle("ses_1")).state->node, "");
}

TEST(R_CLUSTER_5_Registry, TheSessionThatLostTheRaceForARequestTakesNothingWithIt) {
  SessionRegistry sessions({}, {.name = "a", .life = "a.2"});
  SessionState own = idle("ses_1");
  own.owner = "ann";
  own.request_id = "r1";
  SessionState first = own;
  first.session_id = "ses_2";
  sessions.add(own);
  sessions.put(shared(first), "b.1");
  sessions.remove("ses_1");
  const SessionEntry* const found = sessions.created_by(request_key_of(first));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->state->session_id, "ses_2");
}

}  // namespace
}  // namespace oriel
