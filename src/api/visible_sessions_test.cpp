#include "api/visible_sessions.h"

#include "api/api_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Principal token(std::vector<std::string> projects = {}) {
  return {.name = "ann",
          .credential_id = "1",
          .scopes = ScopeSet::all(),
          .projects = std::move(projects)};
}

NewSession in_project(std::string project_id) {
  NewSession wanted;
  wanted.project_id = std::move(project_id);
  return wanted;
}

class R_AUTH_3 : public ApiFixture {
 protected:
  std::string create_in(std::string project_id) {
    return wait(supervisor_.create(in_project(std::move(project_id)))).value().session->session_id;
  }

  // Whether this principal sees the session in no way at all.
  void expect_unknown(const Principal& principal, const std::string& id) {
    const ErrorKind unknown = ErrorKind::kUnknownSession;
    EXPECT_EQ(wait(sessions_.find(principal, id)).error().kind, unknown);
    EXPECT_EQ(wait(sessions_.turns(principal, id)).error().kind, unknown);
    EXPECT_EQ(wait(sessions_.message(principal, id, "hello", "")).error().kind, unknown);
    EXPECT_EQ(wait(sessions_.cancel(principal, id)).error().kind, unknown);
    EXPECT_EQ(wait(sessions_.answer(principal, id, "per_1", {})).error().kind, unknown);
    EXPECT_EQ(wait(sessions_.end(principal, id)).error().kind, unknown);
    NewTurn turn;
    turn.session_id = id;
    EXPECT_EQ(wait(sessions_.say(principal, turn)).error().kind, unknown);
    EventsQuery query;
    query.query.session_id = id;
    EXPECT_EQ(wait(reader_.read(principal, query, shards_[0])).error().kind, unknown);
    for (const SessionSnapshot& session : wait(sessions_.list(principal, {})))
      EXPECT_NE(session->session_id, id);
  }
};

TEST_F(R_AUTH_3, WhatIsNotInATokensProjectsDoesNotExistForIt) {
  const std::string web = create_in("web");
  const std::string other = create_in("api");
  const std::string loose = create_in("");
  const Principal limited = token({"web"});
  expect_unknown(limited, other);
  expect_unknown(limited, loose);
  EXPECT_TRUE(wait(sessions_.find(limited, web)));
  EXPECT_THAT(wait(sessions_.list(limited, {})), SizeIs(1));
  EXPECT_THAT(wait(sessions_.list(token(), {})), SizeIs(3));
  EXPECT_THAT(wait(sessions_.projects(limited)), SizeIs(1));
  EXPECT_TRUE(wait(sessions_.end(limited, web)));
}

TEST_F(R_AUTH_3, ALimitedTokenStartsSessionsInItsProjectsOnly) {
  EXPECT_EQ(wait(sessions_.create(token({"web"}), in_project("api"))).error().kind,
            ErrorKind::kNotAllowed);
  EXPECT_EQ(wait(sessions_.create(token({"web", "api"}), {})).error().kind, ErrorKind::kNotAllowed);
  const auto made = wait(sessions_.create(token({"web"}), {}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->session->project_id, "web") << "it has only one";
}

TEST_F(R_AUTH_3, ARequestIdOfAnotherRevealsNothingAndSendsNothing) {
  NewSession wanted = in_project("api");
  wanted.request_id = "r";
  const auto theirs = wait(sessions_.create(token({"api"}), wanted));
  wanted.project_id = "web";
  wanted.message = "hello";
  const auto mine = wait(sessions_.create(token({"web"}), wanted));
  ASSERT_TRUE(mine);
  EXPECT_FALSE(mine->is_repeat);
  EXPECT_EQ(mine->session->project_id, "web");
  Principal bob = token({"api"});
  bob.name = "bob";
  wanted.project_id = "api";
  const auto other = wait(sessions_.create(bob, wanted));
  ASSERT_TRUE(other);
  EXPECT_NE(other->session->session_id, theirs->session->session_id);
  EXPECT_THAT(wait(sessions_.turns(token(), theirs->session->session_id)).value(), IsEmpty());
}

Principal of_session(std::string session_id) {
  Principal principal = token();
  principal.session_id = std::move(session_id);
  return principal;
}

// With every scope: the limit holds by itself.
using R_SANDBOX_2 = R_AUTH_3;

TEST_F(R_SANDBOX_2, ATokenOfASessionSeesThatSessionAlone) {
  const std::string own = create_in("web");
  const std::string neighbour = create_in("web");
  const std::string other = create_in("");
  const Principal agent = of_session(own);
  expect_unknown(agent, neighbour);
  expect_unknown(agent, other);
  EXPECT_TRUE(wait(sessions_.find(agent, own)));
  EXPECT_TRUE(wait(sessions_.turns(agent, own)));
  EXPECT_THAT(wait(sessions_.list(agent, {})), SizeIs(1));
  EXPECT_THAT(wait(sessions_.projects(agent)), IsEmpty()) << "they count other sessions";
  EventsQuery query;
  query.query.session_id = own;
  EXPECT_TRUE(wait(reader_.read(agent, query, shards_[0])));
}

TEST_F(R_SANDBOX_2, ATokenOfASessionStartsNoOther) {
  const Principal agent = of_session(create_in("web"));
  for (const char* project : {"", "web"})
    EXPECT_EQ(wait(sessions_.create(agent, in_project(project))).error().kind,
              ErrorKind::kNotAllowed);
}

TEST_F(R_SANDBOX_2, ATokenOfASessionPublishesToNoOther) {
  PublishEndpoint endpoint(journal_, sessions_);
  endpoint.add_routes(router_);
  principal_ = of_session("ses_1");
  EXPECT_EQ(send("POST", "/api/events", R"({"type":"deploy"})").status, 403);
  EXPECT_EQ(send("POST", "/api/events", R"({"type":"deploy","session_id":"build-2"})").status, 403);
}

TEST(NarrowedFilter, IsLimitedToThePrincipalsSession) {
  EXPECT_THAT(narrow(of_session("ses_1"), {}).value().sessions, ElementsAre("ses_1"));
  EventFilter wanted;
  wanted.sessions = {"ses_1", "ses_2"};
  EXPECT_THAT(narrow(of_session("ses_1"), wanted).value().sessions, ElementsAre("ses_1"));
  EXPECT_EQ(narrow(of_session("ses_3"), wanted).error().kind, ErrorKind::kNotAllowed);
}

TEST(NarrowedFilter, IsLimitedToThePrincipalsProjects) {
  EXPECT_THAT(narrow(token(), {}).value().projects, IsEmpty());
  EXPECT_THAT(narrow(token({"web"}), {}).value().projects, ElementsAre("web"));
  EventFilter wanted;
  wanted.projects = {"web", "api"};
  EXPECT_THAT(narrow(token({"web"}), wanted).value().projects, ElementsAre("web"));
  EXPECT_EQ(narrow(token({"shop"}), wanted).error().kind, ErrorKind::kNotAllowed);
}

TEST(NarrowedFilter, ShowsWhetherItsClientIsWithinThePrincipalsProjects) {
  EventFilter all;
  EventFilter web;
  web.projects = {"web"};
  EventFilter both;
  both.projects = {"web", "api"};
  EXPECT_TRUE(sees_all(token(), all));
  EXPECT_TRUE(sees_all(token({"web"}), web));
  EXPECT_FALSE(sees_all(token({"web"}), both));
  EXPECT_FALSE(sees_all(token({"web"}), all));
}

const std::vector<ProjectSpec> kProjects = {
    {.id = "web", .workspace = "/srv/web", .repository = "", .agent = ""},
    {.id = "api", .workspace = "/srv/api", .repository = "", .agent = ""}};

bool is_allowed(const Principal& principal, const NewSession& wanted,
                PermissionMode permissions = PermissionMode::kAsk) {
  AgentSpec agent;
  agent.name = "droid";
  agent.permissions = permissions;
  return check_policy(principal, wanted, kProjects, agent).has_value();
}

TEST(R_AUTH_4, ATokenCannotLoosenPermissions) {
  NewSession wanted;
  wanted.permissions = PermissionMode::kAllow;
  EXPECT_FALSE(is_allowed(token(), wanted));
  EXPECT_TRUE(is_allowed(token(), wanted, PermissionMode::kAllow));
  wanted.permissions = PermissionMode::kDeny;
  EXPECT_TRUE(is_allowed(token(), wanted));
  wanted.permissions = PermissionMode::kAsk;
  EXPECT_FALSE(is_allowed(token(), wanted, PermissionMode::kDeny));
}

TEST(R_AUTH_4, ATokenWorksInsideTheWorkspacesOfProjectsOnly) {
  NewSession wanted;
  for (const char* inside : {"/srv/web", "/srv/web/src", "/srv/api"}) {
    wanted.workspace = inside;
    EXPECT_TRUE(is_allowed(token(), wanted)) << inside;
  }
  for (const char* outside : {"/", "/srv", "/srv/webx", "/srv/web/../..", "/home/ann"}) {
    wanted.workspace = outside;
    EXPECT_FALSE(is_allowed(token(), wanted)) << outside;
  }
  wanted.project_id = "web";
  wanted.workspace = "/srv/api";
  EXPECT_FALSE(is_allowed(token(), wanted));
}

const std::vector<ProjectSpec> kAgentProjects = {
    {.id = "web",
     .workspace = "/srv/web",
     .repository = "",
     .agent = "jailed",
     .agents = {"jailed", "other"}},
    {.id = "free", .workspace = "/srv/free", .repository = "", .agent = ""}};

bool may_use(const Principal& principal, const char* agent_name, const NewSession& wanted) {
  AgentSpec agent;
  agent.name = agent_name;
  return check_policy(principal, wanted, kAgentProjects, agent).has_value();
}

NewSession in_directory(const char* workspace) {
  NewSession wanted;
  wanted.workspace = workspace;
  return wanted;
}

TEST(R_AUTH_4, ATokenChoosesAmongTheAgentsOfTheProjectOnly) {
  Principal starter = token();
  starter.scopes = {Scope::kStart};
  EXPECT_TRUE(may_use(starter, "jailed", in_project("web")));
  EXPECT_TRUE(may_use(starter, "other", in_project("web")));
  EXPECT_FALSE(may_use(starter, "unconfined", in_project("web")));
  EXPECT_TRUE(may_use(starter, "unconfined", in_project("free")));
  starter.projects = {"web"};
  EXPECT_FALSE(may_use(starter, "unconfined", in_project("web")));
}

TEST(R_AUTH_4, TheDirectoryOfAProjectIsForItsAgentsOnly) {
  Principal starter = token();
  starter.scopes = {Scope::kStart};
  EXPECT_FALSE(may_use(starter, "unconfined", in_directory("/srv/web/src")));
  EXPECT_TRUE(may_use(starter, "jailed", in_directory("/srv/web/src")));
  EXPECT_TRUE(may_use(starter, "unconfined", in_directory("/srv/free")));
}

TEST(R_AUTH_4, TheOperatorAndAdministratorsChooseAnyAgent) {
  const Principal local{
      .name = "local", .credential_id = "", .scopes = ScopeSet::all(), .projects = {}};
  EXPECT_TRUE(may_use(local, "unconfined", in_project("web")));
  EXPECT_TRUE(may_use(token(), "unconfined", in_project("web")));
}

TEST(R_AUTH_4, TheOperatorMayDoBoth) {
  const Principal local{
      .name = "local", .credential_id = "", .scopes = ScopeSet::all(), .projects = {}};
  NewSession wanted;
  wanted.permissions = PermissionMode::kAllow;
  wanted.workspace = "/home/ann";
  EXPECT_TRUE(is_allowed(local, wanted));
}

class AgentPolicy : public ApiFixture {
 protected:
  AgentPolicy()
      : ApiFixture({}, {{.id = "jail",
                         .workspace = "",
                         .repository = "",
                         .agent = "other",
                         .agents = {"other"}}}) {}
};

using R_AUTH_4_Agent = AgentPolicy;

TEST_F(R_AUTH_4_Agent, ASessionWithAnotherAgentIsNotStarted) {
  Principal starter = token({"jail"});
  starter.scopes = {Scope::kStart};
  NewSession wanted = in_project("jail");
  wanted.agent = "silent";
  EXPECT_EQ(wait(sessions_.create(starter, wanted)).error().kind, ErrorKind::kNotAllowed);
  EXPECT_TRUE(wait(sessions_.create(principal_, wanted))) << "the operator may";
}

struct ProjectDirectory {
  TempDirectory root;
  std::filesystem::path site = root / "projects/site";
};

// A project in a directory with links, as an agent may leave them.
class WorkspacePolicy : private ProjectDirectory, public ApiFixture {
 protected:
  WorkspacePolicy()
      : ApiFixture({}, {{.id = "site", .workspace = site, .repository = "", .agent = ""}}) {
    std::filesystem::create_directories(site / "a/b/c/d");
    std::filesystem::create_directories(site / "a/home");
    std::filesystem::create_directories(root / "home");
    std::filesystem::create_directory_symlink("a/b/c/d", site / "deep");
    std::filesystem::create_directory_symlink(root / "home", site / "out");
  }

  Result<CreatedSession> create(const std::string& below_site) {
    NewSession wanted = in_project("site");
    wanted.workspace = site.string() + below_site;
    return wait(sessions_.create(token({"site"}), wanted));
  }

  std::string real(const std::string& below_site) const {
    return std::filesystem::canonical(site.string() + below_site);
  }
};

using R_AUTH_4_Workspace = WorkspacePolicy;

TEST_F(R_AUTH_4_Workspace, TheDirectoryThatIsCheckedIsTheOneThatIsUsed) {
  const auto made = create("/deep/../../../home");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->session->workspace, real("/a/home"));
}

TEST_F(R_AUTH_4_Workspace, NothingLeadsOutOfTheProject) {
  using namespace std::string_literals;
  for (const std::string& way : {"/out"s, "/../../home"s, "/out/../home"s, "/../../nowhere"s})
    EXPECT_EQ(create(way).error().kind, ErrorKind::kNotAllowed) << way;
  EXPECT_FALSE(create("\0x/../../../home"s));
  EXPECT_EQ(create("/nowhere").error().kind, ErrorKind::kInvalidWorkspace);
}

}  // namespace
}  // namespace oriel
